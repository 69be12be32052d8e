import { readTextFormat, type MessageKind } from './protobuf-text.ts';

/** @source triton-inference-server/common, protobuf/model_config.proto, enum DataType */
const DATA_TYPES = [
  'TYPE_INVALID',
  'TYPE_BOOL',
  'TYPE_UINT8',
  'TYPE_UINT16',
  'TYPE_UINT32',
  'TYPE_UINT64',
  'TYPE_INT8',
  'TYPE_INT16',
  'TYPE_INT32',
  'TYPE_INT64',
  'TYPE_FP16',
  'TYPE_FP32',
  'TYPE_FP64',
  'TYPE_STRING',
  'TYPE_BF16',
];

const RESHAPE: MessageKind = { fields: { shape: { kind: 'int64', repeated: true } } };

/** What inputs and outputs share. @source the same file, messages ModelInput and ModelOutput */
const TENSOR = {
  name: { kind: 'string' },
  data_type: { kind: DATA_TYPES },
  dims: { kind: 'int64', repeated: true },
  reshape: { kind: RESHAPE },
  is_shape_tensor: { kind: 'bool' },
  is_non_linear_format_io: { kind: 'bool' },
} as const;

const INPUT: MessageKind = {
  fields: {
    ...TENSOR,
    format: { kind: ['FORMAT_NONE', 'FORMAT_NHWC', 'FORMAT_NCHW'] },
    allow_ragged_batch: { kind: 'bool' },
    optional: { kind: 'bool' },
  },
};

const OUTPUT: MessageKind = { fields: { ...TENSOR, label_filename: { kind: 'string' } } };

/** An entry of `map<string, ModelParameter>`. @source the same file, message ModelParameter */
const PARAMETER: MessageKind = {
  fields: { key: { kind: 'string' }, value: { kind: { fields: { string_value: { kind: 'string' } } } } },
};

/** The fields that an export may use. @source the same file, message ModelConfig */
const MODEL_CONFIG: MessageKind = {
  fields: {
    name: { kind: 'string' },
    platform: { kind: 'string' },
    backend: { kind: 'string' },
    runtime: { kind: 'string' },
    max_batch_size: { kind: 'int32' },
    input: { kind: INPUT, repeated: true },
    output: { kind: OUTPUT, repeated: true },
    default_model_filename: { kind: 'string' },
    parameters: { kind: PARAMETER, repeated: true },
  },
};

/** A tensor of a `config.pbtxt`. */
export interface DescribedTensor {
  readonly name: string;
  readonly data_type: string;
  readonly dims: readonly number[];
}

/** A `config.pbtxt`. */
export interface TritonConfig {
  readonly name?: string;
  readonly backend?: string;
  readonly max_batch_size?: number;
  readonly input?: readonly DescribedTensor[];
  readonly output?: readonly DescribedTensor[];
  readonly parameters?: readonly { readonly key: string; readonly value: { readonly string_value: string } }[];
}

/** @throws {TextFormatError} for a text that is no ModelConfig */
export function readTritonConfig(text: string): TritonConfig {
  return readTextFormat(text, MODEL_CONFIG);
}
