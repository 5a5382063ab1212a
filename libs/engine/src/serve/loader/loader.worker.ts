import { parentPort } from 'node:worker_threads';

import { toErrorMessage } from '../../decode/error-message.js';

import type { LoaderReply, LoaderRequest } from './loader-messages.js';
import { TensorLoader } from './tensor-loader.js';

const loader = new TensorLoader();

parentPort?.on('message', (request: LoaderRequest) => void answer(request));

/** Posts what was loaded, or why it failed; never rejects. */
async function answer({ call, ...order }: LoaderRequest): Promise<void> {
  try {
    const loaded = await loader.load(order);
    const buffers = [...(loaded?.tensors.values() ?? [])].map(({ data }) => data.buffer as ArrayBuffer);
    parentPort?.postMessage({ call, loaded } satisfies LoaderReply, buffers);
  } catch (error) {
    parentPort?.postMessage({ call, failed: toErrorMessage(error) } satisfies LoaderReply);
  }
}
