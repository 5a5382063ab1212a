import { PayloadArrival, type PayloadIndex } from './payload-index.js';
import type { PayloadAnswer, PayloadMessage, PayloadTask } from './payload-messages.js';

type PayloadRequest = Extract<PayloadMessage, { task: PayloadTask }>;

let arrival: PayloadArrival | undefined = new PayloadArrival();
let index: PayloadIndex | undefined;
const cancelled = new Set<number>();

addEventListener('message', ({ data }: MessageEvent<PayloadMessage>) => {
  if (data.task === 'cancel') cancelled.add(data.id);
  else if (data.task === 'pieces') arrival?.push(data.pieces);
  // After the messages that have come already: what was asked for in vain is not done.
  else setTimeout(() => answer(data));
});

function answer(message: PayloadRequest): void {
  const { id } = message;
  if (cancelled.delete(id)) return;
  try {
    send({ id, answer: perform(message) });
  } catch (error) {
    const { name, message: sentence } = error as Error;
    send({ id, error: { name, message: sentence } });
  }
}

const send = (message: PayloadAnswer): void => postMessage(message);

function perform(message: PayloadRequest): unknown {
  if (message.task === 'open') {
    index = arrival?.end();
    arrival = undefined;
  }
  if (!index) throw new Error('Nothing has been opened.');
  switch (message.task) {
    case 'open':
      return index.open(message.request.frames);
    case 'members':
      return index.members(message.request);
    case 'text':
      return index.text(message.request);
    case 'source':
      return index.source(message.request);
    case 'search':
      return index.search(message.request);
    case 'chat':
      return index.chat(message.request);
    case 'exchange':
      return index.exchange(message.request);
  }
}
