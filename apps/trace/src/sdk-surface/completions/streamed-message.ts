import { isJsonObject, type JsonObject, type JsonValue } from '@hone/contracts';

/** Puts the chunks of a stream together, as far as a call keeps them: the texts of each choice, how it ended, the usage. */
export class StreamedMessage {
  private readonly choices = new Map<number, { content: string; finish: JsonValue }>();
  private head: JsonObject = {};
  usage: JsonValue = null;

  add(chunk: JsonValue): void {
    if (!isJsonObject(chunk)) return;
    const { id = null, model = null, created = null } = chunk;
    this.head = { id, model, created };
    if (isJsonObject(chunk['usage'])) this.usage = chunk['usage'];
    for (const choice of Array.isArray(chunk['choices']) ? chunk['choices'] : []) this.addChoice(choice);
  }

  /** The whole answer in the form of one that was not streamed. */
  get completion(): JsonObject {
    const choices = [...this.choices].map(([index, { content, finish }]) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: finish,
    }));
    return { ...this.head, object: 'chat.completion', choices, usage: this.usage };
  }

  private addChoice(choice: JsonValue): void {
    if (!isJsonObject(choice) || typeof choice['index'] !== 'number') return;
    const known = this.choices.get(choice['index']) ?? { content: '', finish: null };
    const delta = choice['delta'];
    if (isJsonObject(delta) && typeof delta['content'] === 'string') known.content += delta['content'];
    if (choice['finish_reason'] !== null && choice['finish_reason'] !== undefined)
      known.finish = choice['finish_reason'];
    this.choices.set(choice['index'], known);
  }
}
