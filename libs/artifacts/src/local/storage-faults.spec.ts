import { asStorageFault } from './storage-faults.js';

const fault = (code: string, syscall?: string) => asStorageFault(Object.assign(new Error(code), { code, syscall }));

it('tells a full store from one that is not available', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) expect(fault(code, 'write')).toMatchObject({ code: 'storage.full' });
  for (const code of ['EROFS', 'EACCES', 'EIO'])
    expect(fault(code, 'open')).toMatchObject({ code: 'storage.unavailable' });
});

it('leaves what is no fault of the file system as it is', () => {
  expect(fault('ENOENT', 'open')).toMatchObject({ code: 'ENOENT' });
  expect(fault('ENOSPC')).not.toHaveProperty('headers');
  expect(asStorageFault(undefined)).toBeUndefined();
});
