import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const FROM_CSV = '/v2/acme/demo/datasets/from_csv';
const CSV = { headers: { 'content-type': 'text/csv' } };

describe('datasets from CSV files', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const post = (csv: string | Buffer, query = '') => client.post(`${FROM_CSV}?name=codes${query}`, csv, CSV);
  /** The texts of the rows that a version has. */
  const rowsOf = async (csv: string | Buffer, query = ''): Promise<string[]> => {
    const created = await post(csv, query);
    expect([created.status, created.text]).toEqual([200, expect.any(String)]);
    const version = (await client.get(`/v2/acme/demo/datasets/codes/versions/${created.json().digest}`)).json();
    const { text } = await client.post('/table/query_stream', {
      project_id: PROJECT,
      digest: version.rows.split('/').at(-1),
    });
    return [...text.matchAll(/"val":(\{.*\}),"original_index"/g)].map(([, val]) => val as string);
  };
  const refusalOf = async (csv: string | Buffer, query = '') => {
    const { status, json } = await post(csv, query);
    return [status, json().detail.map(({ loc, msg }: { loc: string[]; msg: string }) => `${loc.join('.')}: ${msg}`)];
  };

  it('keep every cell as the text that was written, and say what columns could be', async () => {
    const csv = 'zip, price ,count,ok,__proto__\r\n02139,1.10,3,true,x\r\n"0042",1e5,4,false,"a ""b"", c"\r\n';
    const created = (await post(csv)).json();
    expect(created).toMatchObject({ object_id: 'codes', num_rows: 2, dataset_ref: expect.stringContaining('codes:') });
    expect(created.columns).toEqual([
      { name: 'zip', type: 'text', proposed_type: 'text' },
      { name: 'price', type: 'text', proposed_type: 'text' },
      { name: 'count', type: 'text', proposed_type: 'number' },
      { name: 'ok', type: 'text', proposed_type: 'boolean' },
      { name: '__proto__', type: 'text', proposed_type: 'text' },
    ]);
    expect(await rowsOf(csv)).toEqual([
      '{"zip":"02139","price":"1.10","count":"3","ok":"true","__proto__":"x"}',
      '{"zip":"0042","price":"1e5","count":"4","ok":"false","__proto__":"a \\"b\\", c"}',
    ]);
  });

  it('have numbers and booleans in columns that are chosen, or proposed', async () => {
    const csv = 'a;b;c\n1.10;true;7\n;;8\n';
    expect(await rowsOf(csv, '&numbers=a&booleans=b')).toEqual([
      '{"a":1.10,"b":true,"c":"7"}',
      '{"a":null,"b":null,"c":"8"}',
    ]);
    expect(await rowsOf(csv, '&types=proposed&numbers=a')).toEqual([
      '{"a":1.10,"b":"true","c":7}',
      '{"a":null,"b":"","c":8}',
    ]);
    expect(await refusalOf(csv, '&numbers=b')).toEqual([422, ['body: Line 2: "true" in the column "b" is no number.']]);
    expect(await refusalOf(csv, '&numbers=nope')).toEqual([422, ['body: There is no column "nope".']]);
  });

  it('are read in the encoding and with the delimiter that they have', async () => {
    expect(await rowsOf(Buffer.from('\ufeffä|b\n1|2\n'))).toEqual(['{"ä":"1","b":"2"}']);
    const latin = Buffer.from('name\ncaf\xe9 \x80\n', 'latin1');
    expect(await rowsOf(latin, '&encoding=windows-1252')).toEqual(['{"name":"café €"}']);
    const why = 'body: The text is not UTF-8. Save it as UTF-8, or choose Windows-1252 if it is that.';
    expect(await refusalOf(latin)).toEqual([422, [why]]);
    expect(await rowsOf('a,b;c\n1,2;3\n', '&delimiter=semicolon')).toEqual(['{"a,b":"1,2","c":"3"}']);
  });

  it.each([
    ['an open quote', 'a\n"b', 'body: Line 2: a quote is opened, and not closed.'],
    ['a row of other length', 'a,b\n1\n', 'body: Line 2 has 1 cells, and there are 2 columns.'],
    ['two columns of one name', 'a, a\n1,2\n', 'body: Two columns are named "a".'],
    ['NUL', 'a\n\0\n', 'body: The text has NUL characters. Save it as UTF-8, or as UTF-16 with a byte order mark.'],
    ['no body', '', 'body: Field required'],
  ])('are refused with the reason: %s', async (_, csv, reason) => {
    expect(await refusalOf(csv)).toEqual([422, [reason]]);
  });

  it('are refused with names that objects cannot have, and unknown parameters', async () => {
    const named = await client.post(`${FROM_CSV}?name=${'x'.repeat(129)}&numbres=a`, 'a\n1\n', CSV);
    expect(named.status).toBe(422);
    expect(named.json().detail[0].loc).toEqual(['query', 'numbres']);
    const long = await client.post(`${FROM_CSV}?name=${'x'.repeat(129)}`, 'a\n1\n', CSV);
    expect([long.status, long.json().detail[0].loc]).toEqual([422, ['query', 'name']]);
  });

  it('are refused as a form, which would be a table of its own lines', async () => {
    const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    const { status, json } = await client.post(FROM_CSV, '--x\r\n\r\na\r\n--x--', form);
    expect([status, json().detail[0].msg]).toEqual([422, 'The body should be the file itself, not a form']);
  });

  it('are answered again to who repeats a request with its key', async () => {
    const headers = { ...CSV.headers, 'idempotency-key': 'csv-1' };
    const first = await client.post(`${FROM_CSV}?name=once`, 'a\n1\n', { headers });
    const again = await client.post(`${FROM_CSV}?name=once`, 'a\n1\n', { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});
