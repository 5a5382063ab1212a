/** `@hone/contracts/artifact-ref`: names of artifacts, without validation libraries, for browsers and small clients. */
import { parseProjectId } from './project-id.js';

/** A version of an artifact by its name. */
export interface ArtifactRef {
  readonly scheme: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** 0, 1, 2, ...; `latest`: the highest that is not deleted. */
  readonly version: number | 'latest';
  /** Path of a file of the version; undefined: the one that holds its training data. */
  readonly file?: string | undefined;
}

const ARTIFACT =
  /^([a-z][a-z0-9+.-]*)-artifact:\/{2,3}([^/:]+)\/([^/:]+)\/([^/:]+)(?::(?:v(0|[1-9][0-9]{0,8})|latest)(?:\/([A-Za-z0-9._-]{1,128}))?)?$/u;
const MAX_LENGTH = 2_048;

/**
 * Reads `<scheme>-artifact:///entity/project/name`, with `:vN`, `:latest` or neither (latest), and two or three
 * slashes; `/<file>` may follow a version. Names are compared byte for byte: nothing is decoded.
 *
 * @returns undefined when it is none
 */
export function parseArtifactRef(text: string): ArtifactRef | undefined {
  const match = text.length > MAX_LENGTH ? null : ARTIFACT.exec(text);
  if (!match) return undefined;
  const [, scheme = '', entity = '', project = '', name = '', version, file] = match;
  if (!parseProjectId(`${entity}/${project}`)) return undefined;
  return { scheme, entity, project, name, version: version === undefined ? 'latest' : Number(version), file };
}

/** The ref of a version, or of one of its files. */
export const formatArtifactRef = ({ scheme, entity, project, name, version, file }: ArtifactRef): string =>
  `${scheme}-artifact:///${entity}/${project}/${name}:${version === 'latest' ? version : `v${version}`}${file === undefined ? '' : `/${file}`}`;
