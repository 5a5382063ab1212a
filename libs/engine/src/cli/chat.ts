import { openBaseModel } from '../model/index.js';
import { PLAIN_REQUEST, PLAIN_SAMPLING, ServingEngine } from '../serve/index.js';

interface ChatOptions {
  /** Folder of the base model. */
  readonly model: string;
  /** Folder of a checkpoint; null: the base itself. */
  readonly checkpoint: string | null;
  readonly system: string | null;
  readonly temperature: number;
  readonly maxTokens: number | null;
  readonly seed: bigint;
}

/** Asks a model one question; `write` gets the answer's text piece by piece. @throws EngineError */
export async function chat(question: string, options: ChatOptions, write: (text: string) => void): Promise<void> {
  const base = await openBaseModel(options.model);
  const messages = [
    ...(options.system === null ? [] : [{ role: 'system', content: options.system }]),
    { role: 'user', content: question },
  ];
  const promptIds = base.chatTemplate.encodeChat(messages, { addGenerationPrompt: true });
  const engine = ServingEngine.start();
  try {
    await engine.loadBase(options.model);
    const checkpoint = options.checkpoint === null ? null : { id: options.checkpoint, directory: options.checkpoint };
    const events = engine.generate(
      { base: options.model, checkpoint },
      {
        ...PLAIN_REQUEST,
        promptIds,
        maxTokens: options.maxTokens,
        sampling: { ...PLAIN_SAMPLING, temperature: options.temperature, seed: options.seed },
      },
    );
    for await (const event of events) if (event.kind === 'text') write(event.text);
  } finally {
    await engine.close();
  }
}
