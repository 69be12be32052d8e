/** As much of the library as is measured: it is no dependency of the project. */
declare module '@huggingface/transformers' {
  interface Tensor {
    readonly data: Iterable<number | bigint>;
    readonly dims: readonly number[];
  }
  interface Encoded {
    readonly input_ids: Tensor;
  }
  interface Writer {
    generate(options: object): Promise<Tensor>;
  }
  interface Tokenizer {
    (text: string): Encoded;
    decode(ids: readonly number[]): string;
  }
  export const AutoModelForCausalLM: { from_pretrained(name: string, options: object): Promise<Writer> };
  export const AutoTokenizer: { from_pretrained(name: string): Promise<Tokenizer> };
  export const env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    useBrowserCache: boolean;
    useWasmCache: boolean;
    localModelPath: string;
    readonly backends: { readonly onnx: { wasm: object } };
  };
}
