import { type Hone, HoneError } from '@hone/client';

/** A further user with a role in the entity `local`. @returns a key of theirs, which opens no more than the scopes say */
export async function makeMember(
  hone: Hone,
  username: string,
  role: 'reader' | 'annotator' | 'writer',
  scopes: ('trace' | 'training' | 'inference' | 'account')[] = ['trace', 'training', 'inference'],
): Promise<string> {
  await hone.accounts.createUser({ username }).catch((error: unknown) => {
    // Somebody of an earlier run on the same data.
    if (!(error instanceof HoneError)) throw error;
  });
  await hone.accounts.putMember({ entity: 'local', username }, { role });
  const { key } = await hone.accounts.createApiKey({ label: username, username, scopes });
  return key;
}
