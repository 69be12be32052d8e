import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ort from 'onnxruntime-web/webgpu';
import { graphRow, type GraphRow } from './graph-row.ts';

/** Graphs that exporters wrote, and those that `make-families.py` makes; null where a folder is not there. */
export interface GraphFolders {
  readonly data: string | null;
  readonly families: string | null;
}

/** A row for every graph of both folders, in the order of their lists. */
export async function graphTable({ data, families }: GraphFolders): Promise<readonly GraphRow[]> {
  ort.env.wasm.numThreads = 1; // Node's loader hides the script that threads need
  ort.env.logLevel = 'fatal';
  const folders = [
    [data && join(data, 'graphs'), 'fixtures.json'],
    [families, 'families.json'],
  ] as const;
  const rows: GraphRow[] = [];
  for (const [folder, list] of folders) {
    if (folder === null || !existsSync(join(folder, list))) continue;
    for (const name of namesIn(join(folder, list)))
      rows.push(await graphRow(ort, name, new Uint8Array(readFileSync(join(folder, name, 'model.onnx')))));
  }
  return rows;
}

function namesIn(path: string): string[] {
  const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(list)) throw new TypeError(`${path}: expected a list of graphs`);
  return list.map(({ name }: { readonly name: string }) => name);
}

/** The rows as Markdown. */
export function markdownOf(rows: readonly GraphRow[]): string {
  const head = [
    'graph',
    'tier',
    'attentions',
    'neutral − original',
    'causal',
    'batch − single',
    'rewritten ÷ original',
    'reason',
  ];
  const lines = rows.map(({ name, tier, sites, neutral, isCausal, batch, time, reason }) => [
    name,
    tier,
    sites || '',
    share(neutral),
    isCausal === undefined ? '' : isCausal ? 'yes' : 'no',
    share(batch),
    time?.toFixed(2) ?? '',
    reason,
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function share(value: number | undefined): string {
  if (value === undefined) return '';
  return value === 0 ? '0' : value.toExponential(0);
}
