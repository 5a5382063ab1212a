import { hone } from '../data/hone.js';
import { shortOpName } from '../format/format.js';

/** What a list says of a call. */
export interface CallPreview {
  /** Its name, or that of its op. */
  readonly title: string;
  /** Beginnings of its inputs and output; '': it has none. */
  readonly input: string;
  readonly output: string;
}

const PREVIEWS = ['summary.hone.input_preview', 'summary.hone.output_preview'] as const;
type Line = Readonly<Partial<Record<(typeof PREVIEWS)[number], string | null>>>;

/** Calls by their ids; those that are gone are left out. @param ids any number, '' names none */
export async function readPreviews(
  project_id: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CallPreview>> {
  const call_ids = [...new Set(ids)].filter(Boolean);
  const previews = new Map<string, CallPreview>();
  if (call_ids.length === 0) return previews;
  const columns = ['id', 'op_name', 'display_name', ...PREVIEWS];
  for await (const call of hone.trace.queryCalls({ project_id, filter: { call_ids }, columns }, { signal })) {
    const [input, output] = PREVIEWS.map((field) => (call as Line)[field] ?? '');
    const title = call.display_name ?? shortOpName(call.op_name ?? '');
    previews.set(call.id, { title, input: input ?? '', output: output ?? '' });
  }
  return previews;
}
