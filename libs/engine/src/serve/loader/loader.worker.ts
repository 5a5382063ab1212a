import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';

import { toErrorMessage } from '../../decode/error-message.js';
import type { CheckpointOrder, LoadedModel, LoaderData, LoaderReply, LoaderRequest } from './loader-messages.js';
import { TensorLoader } from './tensor-loader.js';

const loader = new TensorLoader();

parentPort?.on('message', (request: LoaderRequest) => void answer(request));
const announcements = new BroadcastChannel((workerData as LoaderData).announcements);
announcements.onmessage = (message) => loader.announce((message as { data: CheckpointOrder }).data);

/** Posts what was loaded, or why it failed; never rejects. */
async function answer({ call, ...order }: LoaderRequest): Promise<void> {
  try {
    const loaded = await loader.load(order);
    parentPort?.postMessage({ call, loaded } satisfies LoaderReply, buffersOf(loaded));
  } catch (error) {
    parentPort?.postMessage({ call, failed: toErrorMessage(error) } satisfies LoaderReply);
  }
}

/** Buffers that are transferred instead of copied. */
function buffersOf(loaded: LoadedModel | null): ArrayBuffer[] {
  const data = (() => {
    switch (loaded?.kind) {
      case 'tensors':
        return [...loaded.tensors.values()].map((tensor) => tensor.data);
      case 'adapter':
        return [...loaded.adapter.a.values(), ...loaded.adapter.b.values()];
      case 'tokens':
        return [loaded.table.bytes, loaded.table.ends, loaded.table.flags];
      default:
        return [];
    }
  })();
  return [...new Set(data.map(({ buffer }) => buffer as ArrayBuffer))];
}
