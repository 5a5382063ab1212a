import { stateOfFolder } from '@hone/engine';

/** Whether the files of a folder are as they were; a folder that is gone has another state. */
export const hasState = async (directory: string, state: string): Promise<boolean> =>
  (await stateOfFolder(directory).catch(() => null)) === state;
