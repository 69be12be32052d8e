import { delay } from '../device/guard.ts';

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

/** Passes of up to this size were tried; larger ones save little. */
const MAX_PASS_BYTES = 2 ** 30;

/** Activations that a pass may take, bytes. A browser does not tell how much memory its GPU has, but how large a tensor may be. */
export function passBytesOn({ limits }: Pick<GPUDevice, 'limits'>): number {
  return Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize, MAX_PASS_BYTES);
}

let current: Promise<Gpu | undefined> | undefined;

/** This thread's GPU, opened on first use and again where it was lost or missing; undefined where there is none. */
export function openGpu(): Promise<Gpu | undefined> {
  current ??= requestGpu().then((gpu) => {
    if (gpu) void gpu.device.lost.then(() => (current = undefined));
    else current = undefined;
    return gpu;
  });
  return current;
}

/** How long after its start this thread asks again for an adapter, and how often, ms; later it asks twice. */
const WAIT_MS = 2_000;
const RETRY_MS = 100;

/**
 * An adapter; null where there is none. A browser that has just started answers null before its GPU process knows the GPUs: of
 * Chromium 156 on Linux, the first request of three fresh browsers was answered so, and the next one rightly. A GPU process
 * that has ended counts as no GPU: WebAssembly still works.
 */
async function waitForAdapter(gpu: GPU): Promise<GPUAdapter | null> {
  for (let isFirst = true; ; isFirst = false) {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
    if (adapter || (!isFirst && performance.now() >= WAIT_MS)) return adapter;
    await delay(RETRY_MS);
  }
}

async function requestGpu(): Promise<Gpu | undefined> {
  if (typeof navigator === 'undefined' || !('gpu' in navigator)) return undefined;
  const adapter = await waitForAdapter(navigator.gpu);
  if (adapter === null) return undefined;
  const { vendor, architecture, description } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed GPU';
  const isSoftware = adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|software|basic render/i.test(name);
  // Subgroups of four, as software has them, make a fused kernel compute wrong numbers.
  const features = FEATURES.filter(
    (feature) => adapter.features.has(feature) && !(isSoftware && feature === 'subgroups'),
  );
  const requiredLimits = Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]]));
  // An adapter without a device counts as no GPU.
  const device = await adapter.requestDevice({ requiredFeatures: features, requiredLimits }).catch(() => undefined);
  return device && { device, description: name, isSoftware };
}
