type Json = Record<string, unknown>;

interface Item {
  readonly id: string;
  /** Open content part; null: none is. */
  part: { readonly type: string; text: string } | null;
  /** Text of parts that are closed, or arguments of a call so far. */
  readonly parts: string[];
  call: string;
  isDone: boolean;
}

const DELTAS = ['response.output_text.delta', 'response.refusal.delta', 'response.reasoning_text.delta'];
const SUMMARY_DELTA = 'response.reasoning_summary_text.delta';
const PART_ADDED = ['response.content_part.added', 'response.reasoning_summary_part.added'];
const PART_DONE = ['response.content_part.done', 'response.reasoning_summary_part.done'];
const CALL_DELTAS = ['response.function_call_arguments.delta', 'response.custom_tool_call_input.delta'];
const TERMINAL = ['response.completed', 'response.incomplete', 'response.failed'];

/** Checks a stream of events against the grammar of OpenAI's Responses; throws at the first event that breaks it. */
export class ResponseGrammar {
  /** Of the last event; null: the stream has not ended. */
  response: Json | null = null;
  end: string | null = null;
  private next = 0;
  private readonly items: Item[] = [];

  static of(stream: string): ResponseGrammar {
    const grammar = new ResponseGrammar();
    const frames = stream.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
    for (const [at, frame] of frames.entries()) {
      const [, name, data] = /^(?:event: (\S+)\n)?data: (.*)$/s.exec(frame) ?? [];
      if (data === '[DONE]') {
        if (at !== frames.length - 1) throw new Error('[DONE] is not the last frame.');
        continue;
      }
      const event = JSON.parse(data ?? '') as Json;
      if (event['type'] !== name) throw new Error(`The event ${name} has the type ${String(event['type'])}.`);
      grammar.read(event);
    }
    return grammar;
  }

  private read(event: Json): void {
    const { type, sequence_number: number } = event as { type: string; sequence_number: number };
    if (number !== this.next) throw new Error(`${type} has number ${number}, not ${this.next}.`);
    if (this.end !== null) throw new Error(`${type} comes after ${this.end}.`);
    if (this.next < 2 && type !== ['response.created', 'response.in_progress'][this.next]) {
      throw new Error(`${type} comes as event ${number}.`);
    }
    this.next++;
    this.step(type, event);
  }

  private step(type: string, event: Json): void {
    if (type === 'response.output_item.added') this.addItem(event);
    else if (PART_ADDED.includes(type)) this.openPart(event);
    else if (DELTAS.includes(type) || type === SUMMARY_DELTA)
      this.openItem(event, true).part!.text += event['delta'] as string;
    else if (PART_DONE.includes(type)) this.closePart(event);
    else if (CALL_DELTAS.includes(type)) this.openItem(event, false).call += event['delta'] as string;
    else if (type === 'response.output_item.done') this.closeItem(event);
    else if (TERMINAL.includes(type)) this.finish(type, event);
    else if (/\.done$/.test(type)) this.openItem(event, !/arguments|input/.test(type));
    else if (this.next > 2 && type !== 'error') throw new Error(`There is no event ${type}.`);
  }

  private addItem({ output_index: index, item }: Json): void {
    if (index !== this.items.length) throw new Error(`Item ${String(index)} comes as number ${this.items.length}.`);
    this.items.push({ id: (item as Json)['id'] as string, part: null, parts: [], call: '', isDone: false });
  }

  private openItem({ output_index: index, item_id: id, ...at }: Json, hasPart: boolean): Item {
    const part = at['content_index'] ?? at['summary_index'];
    const item = this.items[index as number];
    if (!item || item.isDone || item.id !== id) throw new Error(`There is no open item ${String(id)}.`);
    if (hasPart && (item.part === null || item.parts.length !== part)) throw new Error('There is no open part.');
    return item;
  }

  private openPart(event: Json): void {
    const item = this.openItem(event, false);
    if (item.part !== null || item.parts.length !== (event['content_index'] ?? event['summary_index']))
      throw new Error('A part is open already.');
    item.part = { type: (event['part'] as Json)['type'] as string, text: '' };
  }

  private closePart(event: Json): void {
    const item = this.openItem(event, true);
    const { text, refusal } = event['part'] as { text?: string; refusal?: string };
    if ((text ?? refusal) !== item.part!.text) throw new Error('A part is not what its deltas were.');
    item.parts.push(item.part!.text);
    item.part = null;
  }

  private closeItem({ output_index: index, item: json }: Json): void {
    const item = this.items[index as number]!;
    const { id, arguments: args, input, ...parts } = json as Json & { content?: Json[]; summary?: Json[] };
    const content = [...(parts.content ?? []), ...(parts.summary ?? [])];
    if (item.isDone || item.part !== null || item.id !== id) throw new Error('An item ends that is not open.');
    if ((args ?? input ?? '') !== item.call) throw new Error('A call is not what its deltas were.');
    const texts = content.map(({ text, refusal }) => text ?? refusal);
    if (JSON.stringify(texts) !== JSON.stringify(item.parts)) throw new Error('An item has other parts than came.');
    item.isDone = true;
  }

  private finish(type: string, { response }: Json): void {
    if (type !== 'response.failed' && this.items.some(({ isDone }) => !isDone)) throw new Error('An item is open.');
    const { output } = response as { output: Json[] };
    const done = this.items.filter(({ isDone }) => isDone).map(({ id }) => id);
    if (JSON.stringify(output.map(({ id }) => id)) !== JSON.stringify(done)) throw new Error('The output is another.');
    this.response = response as Json;
    this.end = type;
  }
}
