import { refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { listRule } from '../validation/rules.js';

/** Body of `POST /refs/read_batch`. */
@Example({ refs: ['hone:///acme/demo/object/config:v0', 'hone:///acme/demo/object/config:latest/key/temperature'] })
export class RefsReadDto {
  /**
   * Refs of objects and ops, at most 1,000, of any scheme and project. After the version a ref may go on with steps into
   * the value: `/attr/<name>` and `/key/<name>` for keys, `/index/<n>` for list items, `/id/<digest>` for rows of a table.
   * Where a step meets another ref, it goes on in what that names.
   */
  @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) refs!: string[];
}

/** Answer of `POST /refs/read_batch`. */
export class RefsReadResultDto {
  /** The values, in the order of the refs; null for a deleted version, and where the steps lead nowhere. */
  @fromRule(listRule({ name: 'isJsonValue', issues: () => [], schema: {} })) vals!: unknown[];
}
