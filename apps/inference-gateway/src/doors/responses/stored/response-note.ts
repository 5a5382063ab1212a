import type { ResponsesRequestDto } from '@hone/contracts';

/** What the call of a response says of it beside the chat completion that it was. */
export interface ResponseNote {
  readonly name: 'responses';
  /** The first message is the instructions, which a response that continues this one has its own of. */
  readonly instructions?: true;
  /** It is not to be had again. */
  readonly store?: false;
  readonly previous_response_id?: string;
}

export const noteOf = ({ instructions, store, previous_response_id: previous }: ResponsesRequestDto): ResponseNote => ({
  name: 'responses',
  ...(instructions && { instructions: true }),
  ...(store === false && { store }),
  ...(previous && { previous_response_id: previous }),
});

export const isResponseNote = (note: unknown): note is ResponseNote =>
  typeof note === 'object' && note !== null && (note as { name?: unknown }).name === 'responses';
