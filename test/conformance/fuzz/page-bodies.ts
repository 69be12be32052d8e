import fc from 'fast-check';
import type { Page } from 'playwright';
import { STATUS } from '../../../src/contract/failure.ts';
import { docx, paragraph } from '../../support/files/docx.ts';
import { base64Of, encodePng } from '../../support/files/png.ts';
import { createDescribed, type Described, type OpenApi } from '../rows/described.ts';
import type { Received } from '../transport/transport.ts';
import { mutatedBodyOf, SEEDS, type MutatedBody, type Seed } from './mutated-bodies.ts';

/** What came of the bodies that a page was sent. */
export interface PageBodies {
  readonly bodies: number;
  /** Answers by status. */
  readonly counts: Readonly<Record<number, number>>;
  /** Answers that must not be. */
  readonly problems: number;
}

/** How many bodies, and which. */
export interface PageBodiesOptions {
  readonly bodies: number;
  readonly seed: number;
  /** Told at once. */
  readonly onProblem: (problem: string) => void;
  /** Told after each batch. */
  readonly onProgress: (sent: number) => void;
}

const image = { type: 'image', data: base64Of(encodePng(48, 48, (x, y) => [x * 5, y * 5, 120])) };
const text = 'Andreas likes Pizza. Berta built the lighthouse in 1911.';

/** What the models of the page itself can be asked beside the seeds for fakes: pictures, and a file that is one. */
const PAGE_SEEDS: readonly Seed[] = [
  ...SEEDS,
  {
    path: '/embed',
    body: {
      model: 'lightwell-base',
      prompt: [image, { type: 'text', data: ' shows' }],
      layers: [-1],
      pooling: ['mean'],
    },
  },
  {
    path: '/explain',
    body: {
      model: 'lightwell-base',
      target: ' red',
      prompt_granularity: { type: 'paragraph' },
      prompt: [{ ...image, controls: [{ rect: { left: 0, top: 0, width: 0.5, height: 0.5 }, factor: 0.5 }] }],
    },
  },
  { path: '/qa', body: { query: 'Who likes Pizza?', documents: [{ docx: docx(paragraph(text)) }], max_answers: 2 } },
];

/** Base64 of a picture or a document, which says nothing to a reader. */
const FILE = /[\w+/=]{200,}/g;

/** Sent at once, answered together. */
const BATCH = 100;

/** Batches of one seed; another seed gives other bodies. */
const SEED_STEP = 10_000;

/** A request that is open for longer hangs. The page's own limit is longer, so no 408 comes in between. */
const HANGS_MS = 240_000;

/**
 * Sends mutated bodies to the service of an open page, one at a time, and judges each answer by the service's own OpenAPI
 * document: a status that it does not describe, a body that does not fit, a 500 and a request without an end are problems.
 */
export async function fuzzPage(
  page: Page,
  { bodies, seed, onProblem, onProgress }: PageBodiesOptions,
): Promise<PageBodies> {
  const described = createDescribed(await descriptionOf(page));
  const counts: Record<number, number> = {};
  let problems = 0;
  let sent = 0;
  for (let batch = 0; sent < bodies; batch++) {
    const numRuns = Math.min(BATCH, bodies - sent);
    const some = fc.sample(mutatedBodyOf(PAGE_SEEDS), { numRuns, seed: seed * SEED_STEP + batch });
    for (const [index, answer] of (await answersTo(page, some)).entries()) {
      const body = some[index];
      if (!body) throw new Error('the page sent more answers than it was asked');
      if (answer) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      const problem = problemOf(body, answer, described);
      if (problem === null) continue;
      problems++;
      onProblem(`${problem}\n  POST ${body.path} ${body.body.replaceAll(FILE, '…')}`);
    }
    sent += numRuns;
    onProgress(sent);
  }
  return { bodies: sent, counts, problems };
}

async function descriptionOf(page: Page): Promise<OpenApi> {
  const text = await page.evaluate(async () => (await lightwell.fetch('/openapi.json')).text());
  return JSON.parse(text) as OpenApi; // what is wrong in it shows with the first answer
}

/** @returns null for a request without an end */
function answersTo(page: Page, bodies: readonly MutatedBody[]): Promise<(Received | null)[]> {
  return page.evaluate(
    async ([sent, hangsMs]) => {
      const answer = async ({ path, body }: { readonly path: string; readonly body: string }) => {
        const headers = { Authorization: `Bearer ${lightwell.token}`, 'Content-Type': 'application/json' };
        const response = await lightwell.fetch(path, { method: 'POST', headers, body });
        const text = await response.text();
        return { status: response.status, headers: Object.fromEntries(response.headers), text };
      };
      const answers: (Received | null)[] = [];
      for (const each of sent) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), hangsMs)));
        answers.push(await Promise.race([answer(each), late]));
        clearTimeout(timer);
      }
      return answers;
    },
    [bodies, HANGS_MS] as const,
  );
}

/** Nothing that a body says makes these right. */
const FAULTS = new Set<number>([STATUS.INTERNAL, STATUS.DEVICE_LOST, STATUS.TIMEOUT]);

function problemOf({ path, body }: MutatedBody, answer: Received | null, described: Described): string | null {
  if (answer === null) return `no answer within ${HANGS_MS / 1000} s`;
  if (FAULTS.has(answer.status)) return `${answer.status}: ${answer.text}`;
  try {
    described.check({ method: 'POST', path, body }, answer);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
