/** Separates folder and content: no path contains it. */
const SEPARATOR = '\0';

/**
 * What the serving engine calls the content of a folder at one time. A model that was removed and added again in the
 * same folder has another name: it is loaded beside the one before, whose requests may still run.
 *
 * @param content differs when the files differ
 */
export const baseNameOf = (directory: string, content: string): string => `${directory}${SEPARATOR}${content}`;

/** The folder of a base model by its name; a name may be the folder alone. */
export const directoryOf = (name: string): string => name.split(SEPARATOR, 1)[0] as string;
