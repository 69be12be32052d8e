/** A GPU that a network can run on. */
export interface Gpu {
  readonly device: GPUDevice;
  /** Vendor and architecture, as far as the browser shows them. */
  readonly description: string;
  /** Computed by the processor: correct, but slower than WebAssembly. Only used where the user chooses it. */
  readonly isSoftware: boolean;
}

/** Optional features that ONNX Runtime's kernels use. */
const FEATURES: readonly GPUFeatureName[] = ['shader-f16', 'subgroups'];
/** Limits whose defaults are far below what devices offer. @source onnxruntime webgpu_context.cc, GetRequiredLimits */
const LIMITS = [
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxStorageBuffersPerShaderStage',
] as const satisfies readonly (keyof GPUSupportedLimits)[];

let current: Promise<Gpu | undefined> | undefined;

/** This thread's GPU, opened on first use and again after it was lost; undefined where there is none. */
export function openGpu(): Promise<Gpu | undefined> {
  current ??= requestGpu().then((gpu) => {
    void gpu?.device.lost.then(() => (current = undefined));
    return gpu;
  });
  return current;
}

async function requestGpu(): Promise<Gpu | undefined> {
  if (typeof navigator === 'undefined' || !('gpu' in navigator)) return undefined;
  // A GPU process that has ended counts as no GPU: WASM still works.
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (adapter === null) return undefined;
  const { vendor, architecture, description } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed GPU';
  const isSoftware = adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|software|basic render/i.test(name);
  // Subgroups of four, as software has them, make a fused kernel compute wrong numbers.
  const features = FEATURES.filter(
    (feature) => adapter.features.has(feature) && !(isSoftware && feature === 'subgroups'),
  );
  const requiredLimits = Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]]));
  // So does an adapter without a device.
  const device = await adapter.requestDevice({ requiredFeatures: features, requiredLimits }).catch(() => undefined);
  return device && { device, description: name, isSoftware };
}
