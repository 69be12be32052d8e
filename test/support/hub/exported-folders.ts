import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordTokenizer } from '../files/word-tokenizer.ts';
import { LFM2, T5 } from './exported-configs.ts';
import { writeFolders, type WrittenFolders } from './written-folders.ts';
import { encoderOfTable } from '../onnx/encoders/table-encoder.ts';

const GRAPHS = join(process.env['LIGHTWELL_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'graphs');
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(GRAPHS, name, 'model.onnx')));
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Whether the graphs of exporters are on this machine. */
export const hasExportedGraphs = existsSync(GRAPHS);

/** Folders of networks that cannot be rewritten, as exporters wrote them, with small tokenizers. */
const FOLDERS = () => ({
  'made/lfm2': {
    'config.json': json({ ...LFM2, max_position_embeddings: 128, eos_token_id: 1 }),
    'tokenizer.json': json(wordTokenizer(160, false)),
    'tokenizer_config.json': json({ chat_template: '{% for m in messages %}{{ m.content }} {% endfor %}' }),
    'onnx/model.onnx': bytesOf('gb-lfm2-cpu-fp32'),
  },
  'made/t5': {
    'config.json': json({ ...T5, n_positions: 128 }),
    'tokenizer.json': json(wordTokenizer(128, true)),
    'tokenizer_config.json': json({}),
    'onnx/encoder_model.onnx': encoderOfTable(128, 64).file,
    'onnx/decoder_model_merged.onnx': bytesOf('opt-t5-decoder_model_merged'),
  },
});

/** Writes them below a new folder. */
export function writeExportedFolders(): WrittenFolders {
  return writeFolders(Object.entries(FOLDERS()).map(([name, files]) => [name, new Map(Object.entries(files))]));
}
