import type { ResponsesRequestDto } from '@hone/contracts';

/** What the call of a response says of it beside the chat completion that it was. */
export interface ResponseNote {
  readonly name: 'responses';
  /** The first message is the instructions, which a response that continues this one has its own of. */
  readonly instructions?: true;
  /** How many messages of a prompt follow them, which a response that continues this one has its own of. Absent: none. */
  readonly prompted?: number;
  /** It is not to be had again. */
  readonly store?: false;
  readonly previous_response_id?: string;
}

/** @param prompted messages of the prompt that it names */
export const noteOf = (
  { instructions, store, previous_response_id: previous }: ResponsesRequestDto,
  prompted: number,
): ResponseNote => ({
  name: 'responses',
  ...(instructions && { instructions: true }),
  ...(prompted > 0 && { prompted }),
  ...(store === false && { store }),
  ...(previous && { previous_response_id: previous }),
});

export const isResponseNote = (note: unknown): note is ResponseNote =>
  typeof note === 'object' && note !== null && (note as { name?: unknown }).name === 'responses';
