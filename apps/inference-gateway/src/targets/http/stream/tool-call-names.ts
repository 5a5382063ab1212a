import { isJsonObject } from '@hone/json';

type Json = Record<string, unknown>;

/** A part of a tool call, as one frame has it. */
export interface CallPart {
  /** Null: the upstream sends none, so the part continues the last call. */
  readonly index: number | null;
  readonly isNamed: boolean;
}

interface CallsOfChoice {
  readonly named: Set<number>;
  readonly unnamed: Set<number>;
  last: number;
}

const NO_PARTS: readonly CallPart[] = [];
/** The only call of the older `function_call` has no index. */
const FUNCTION_CALL = -1;

/** Parts of tool calls in a delta. Those that say nothing are left out. */
export function readCallParts({ tool_calls: calls, function_call: call }: Json): readonly CallPart[] {
  const parts = Array.isArray(calls) && calls.length > 0 ? calls.filter(saysSomething).map(toPart) : NO_PARTS;
  return isJsonObject(call) ? [...parts, { index: FUNCTION_CALL, isNamed: isText(call.name) }] : parts;
}

const saysSomething = (part: unknown): part is Json =>
  isJsonObject(part) && Object.entries(part).some(([key, value]) => key !== 'index' && value !== null);

/** Calls of functions and of custom tools have their name in the object that is called as their type. */
const toPart = ({ index, function: called, custom }: Json): CallPart => ({
  index: typeof index === 'number' ? index : null,
  isNamed: [called, custom].some((named) => isJsonObject(named) && isText(named.name)),
});

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Finds tool calls without a name. A call begins with its name: without one, the frame that began it was lost. */
export class ToolCallNames {
  private readonly choices = new Map<number, CallsOfChoice>();

  /** At least one call has no name so far. */
  get areMissing(): boolean {
    return [...this.choices.values()].some(({ unnamed }) => unnamed.size > 0);
  }

  /** @param choice index of the choice that the parts belong to */
  read(choice: number, parts: readonly CallPart[]): void {
    if (parts.length === 0) return;
    const calls = this.choices.get(choice) ?? { named: new Set(), unnamed: new Set(), last: 0 };
    this.choices.set(choice, calls);
    for (const { index, isNamed } of parts) {
      calls.last = index ?? calls.last;
      if (isNamed) {
        calls.named.add(calls.last);
        calls.unnamed.delete(calls.last);
      } else if (!calls.named.has(calls.last)) calls.unnamed.add(calls.last);
    }
  }
}
