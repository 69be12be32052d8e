/** GPUs that this worker has opened, so that they can be taken from it. Imported before what opens them. */
export const captured: GPUDevice[] = [];

if ('GPUAdapter' in globalThis) {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    captured.push(device);
    return device;
  };
}
