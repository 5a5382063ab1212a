import { isCheckpointAlias } from './checkpoint-alias.js';
import { parseProjectId } from './project-id.js';

/** The name of a trained model, with the step that is meant. */
export interface TrainedModelRef {
  readonly scheme: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** A step, 0 for the base model; `latest`: the highest there is; any other text: an alias. */
  readonly step: number | string;
}

const REF =
  /^([a-z][a-z0-9+.-]*)-artifact:\/{2,3}([^/:]+)\/([^/:]+)\/([^/:]+)(?::(?:step(0|[1-9][0-9]{0,9})|latest|([A-Za-z0-9_.-]{1,64})))?$/u;
const MAX_LENGTH = 512;

/**
 * Reads `<scheme>-artifact:///entity/project/name`, with `:stepN`, `:latest`, an alias or neither (latest), and two or three
 * slashes. Names are compared byte for byte: nothing is decoded.
 *
 * @returns undefined when it is none
 */
export function parseTrainedModelRef(text: string): TrainedModelRef | undefined {
  const match = text.length > MAX_LENGTH ? null : REF.exec(text);
  if (!match) return undefined;
  const [, scheme = '', entity = '', project = '', name = '', step, alias] = match;
  if (!parseProjectId(`${entity}/${project}`)) return undefined;
  if (alias !== undefined) return isCheckpointAlias(alias) ? { scheme, entity, project, name, step: alias } : undefined;
  return { scheme, entity, project, name, step: step === undefined ? 'latest' : Number(step) };
}

/** The ref that names a model, or one of its checkpoints by step or alias, in the configured scheme. */
export function formatTrainedModelRef(ref: Omit<TrainedModelRef, 'step'> & { step?: number | string }): string {
  const version = ref.step === undefined ? '' : typeof ref.step === 'number' ? `:step${ref.step}` : `:${ref.step}`;
  return `${ref.scheme}-artifact:///${ref.entity}/${ref.project}/${ref.name}${version}`;
}
