import { FailureError, messageOf } from '../../../src/contract/failure.ts';
import { shortText } from '../../../src/contract/shown.ts';
import type { CompleteJob, JobMessage } from '../../../src/protocol/jobs.ts';
import type { JobImage, JobPromptItem } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { type Sequence, sequenceOf } from '../prompt/sequence.ts';

type Dialogue = Extract<CompleteJob['prompts'][number], { readonly messages: unknown }>;

/** Characters of a template's own message. */
const MAX_CAUSE = 500;

/**
 * A dialogue rendered with the folder's chat template, up to where the model's answer begins. A picture stands where the template writes its
 * part.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a model without a template or without a head; INVALID_REQUEST with the template's message
 *   for a dialogue that it refuses, and for one whose pictures it leaves out; otherwise as `sequenceOf`
 */
export async function dialogueSequence({ path, messages }: Dialogue, model: LoadedModel): Promise<Sequence> {
  const { network, generation } = model;
  const template = generation?.chatTemplate;
  if (network.shape.vocabulary === 0 || template === undefined)
    throw new FailureError(
      'MISSING_CAPABILITY',
      'model: expected one that was made for dialogues, got one without a chat template',
    );
  const render = await rendererOf(template, generation?.marks ?? {});
  const pictures: JobImage[] = [];
  const marked = messages.map(({ role, content }) => ({
    role,
    content: content.map((part) => markOf(part, pictures)),
  }));
  const items = itemsOf(rendered(render, marked), { path, pictures });
  return sequenceOf({ path, items }, model, { before: [], after: [] });
}

/** A message whose pictures are marks in its texts. */
interface MarkedMessage {
  readonly role: string;
  readonly content: readonly string[];
}

type Render = (messages: readonly { readonly role: string; readonly content: unknown }[]) => string;

async function rendererOf(template: string, marks: object): Promise<Render> {
  const { renderChatTemplate } = await import('./chat-template.ts');
  return (messages) => renderChatTemplate(template, { ...marks, messages, add_generation_prompt: true });
}

/** A text as it is. In place of a picture a mark that no text can hold, because half of a surrogate pair is not well-formed. */
function markOf(part: JobMessage['content'][number], pictures: JobImage[]): string {
  return typeof part === 'string' ? part : `\udfff${pictures.push(part) - 1}\udfff`;
}

const MARK = /\udfff(\d+)\udfff/u;

function rendered(render: Render, messages: readonly MarkedMessage[]): string {
  const takesParts = readsParts(render);
  const contentOf = (texts: readonly string[]) =>
    takesParts ? texts.map((text) => ({ type: 'text', text })) : texts.join('\n');
  try {
    return render(messages.map(({ role, content }) => ({ role, content: contentOf(content) })));
  } catch (error) {
    // A template's errors are meant for people, such as "roles must alternate".
    const cause = messageOf(error);
    throw new FailureError(
      'INVALID_REQUEST',
      `messages: the model's chat template refuses them: ${shortText(cause, MAX_CAUSE)}`,
    );
  }
}

/** Whether a template goes through the parts of a message; most write the text of it. @source vLLM, chat_utils.py, content formats */
function readsParts(render: Render): boolean {
  const probe = 'probe';
  const writes = (content: unknown) => {
    try {
      return render([{ role: 'user', content }]).includes(probe);
    } catch {
      return false; // one that refuses every dialogue says so for the request's own
    }
  };
  return !writes(probe) && writes([{ type: 'text', text: probe }]);
}

/** The rendered text with pictures in place of their marks. @param path  of the messages */
function itemsOf(
  text: string,
  { path, pictures }: { readonly path: string; readonly pictures: readonly JobImage[] },
): readonly JobPromptItem[] {
  const pieces = text.split(MARK); // texts, and between two of them the number of a picture
  const found = pieces.filter((_, at) => at % 2 === 1);
  if (found.join() !== [...pictures.keys()].join())
    throw new FailureError(
      'INVALID_REQUEST',
      `${path}: expected a model whose chat template writes each picture once, got one that writes ${found.length} for ${pictures.length}`,
    );
  return pieces.flatMap((piece, at): JobPromptItem[] => {
    const picture = at % 2 === 1 ? pictures[Number(piece)] : undefined;
    if (picture) return [picture];
    return piece === '' ? [] : [{ type: 'text', path, text: piece, controls: [] }];
  });
}
