/** A safetensors file with these float32 tensors. @source safetensors: 8 bytes with the header's length, a header, the numbers */
export function safetensors(
  tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly values: readonly number[] }>>,
): Uint8Array<ArrayBuffer> {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { shape, values }]) => {
    const begin = end;
    end += values.length * 4;
    return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }] as const;
  });
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const file = new Uint8Array(8 + header.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  const numbers = Float32Array.from(Object.values(tensors).flatMap(({ values }) => values));
  file.set(new Uint8Array(numbers.buffer), 8 + header.length);
  return file;
}
