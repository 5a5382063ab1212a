import type { ObjectVersionDto } from '@hone/client';

/** The versions of a prompt, newest first, and the one of them that the page shows. */
export interface VersionProps {
  readonly versions: readonly ObjectVersionDto[];
  readonly shown: ObjectVersionDto;
}
