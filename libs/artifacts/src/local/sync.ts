import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Makes a file's content, or a folder's names, survive a loss of power (fsync). */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the folder that holds `path`, and those above it up to `root`: any of them may be new. */
export async function syncParents(path: string, root: string): Promise<void> {
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
    await syncPath(folder);
    if (folder === root) return;
  }
}

/** Syncs every file and folder below a folder, and it; returns the relative paths of the files, in order. */
export async function syncTree(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      for (const file of await syncTree(join(folder, entry.name))) files.push(`${entry.name}/${file}`);
    } else if (entry.isFile()) {
      await syncPath(join(folder, entry.name));
      files.push(entry.name);
    } else {
      throw new Error(`Only files and folders can be stored; '${entry.name}' is neither.`);
    }
  }
  await syncPath(folder);
  return files.sort();
}
