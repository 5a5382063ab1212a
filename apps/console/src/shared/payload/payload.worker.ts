import { PayloadIndex } from './payload-index.js';
import type { PayloadAnswer, PayloadMessage } from './payload-messages.js';

let index: PayloadIndex | undefined;
const cancelled = new Set<number>();

addEventListener('message', ({ data }: MessageEvent<PayloadMessage>) => {
  if (data.task === 'cancel') cancelled.add(data.id);
  // After the messages that have come already: what was asked for in vain is not done.
  else setTimeout(() => answer(data));
});

function answer(message: Exclude<PayloadMessage, { task: 'cancel' }>): void {
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

function perform(message: Exclude<PayloadMessage, { task: 'cancel' }>): unknown {
  if (message.task === 'open') {
    index = new PayloadIndex(message.request.bytes);
    return index.open(message.request.frames);
  }
  if (!index) throw new Error('Nothing has been opened.');
  switch (message.task) {
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
  }
}
