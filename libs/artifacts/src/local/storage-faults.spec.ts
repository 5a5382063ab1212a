import { asStorageFault } from './storage-faults.js';

const fault = (code: string, syscall?: string) => asStorageFault(Object.assign(new Error(code), { code, syscall }));

it('distinguishes a full store from an unavailable one', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) expect(fault(code, 'write')).toMatchObject({ code: 'storage.full' });
  for (const code of ['EROFS', 'EACCES', 'EIO'])
    expect(fault(code, 'open')).toMatchObject({ code: 'storage.unavailable' });
});

it('passes other errors on unchanged', () => {
  expect(fault('ENOENT', 'open')).toMatchObject({ code: 'ENOENT' });
  expect(fault('ENOSPC')).not.toHaveProperty('headers');
  expect(asStorageFault(undefined)).toBeUndefined();
});
