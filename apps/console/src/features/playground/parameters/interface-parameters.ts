/** What is read of the OpenAPI document. */
export interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly properties?: Readonly<Record<string, Property>>;
}

interface Property {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
}

/** A parameter of the interface. */
export interface Parameter {
  readonly name: string;
  readonly meaning: string;
  /** Its default, or an empty value of its type: where one begins. */
  readonly initial: unknown;
}

/** What the page sets itself. */
const OWN = [
  ...['model', 'messages', 'input', 'instructions', 'system', 'stream', 'stream_options', 'tools', 'response_format'],
  'max_output_tokens',
];
const EMPTY: Readonly<Record<string, unknown>> = {
  ...{ string: '', boolean: true, integer: 1, number: 1, array: [], object: {} },
};

/** The parameters of a request, by name. @param schema of its body */
export function parametersOf({ components }: OpenApi, schema: string): readonly Parameter[] {
  const properties = components?.schemas?.[schema]?.properties ?? {};
  return Object.entries(properties)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, { description = '', ...rest }]) => ({ name, meaning: description, initial: initialOf(rest) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function initialOf({ type = [], default: initial }: Property): unknown {
  if (initial !== undefined && initial !== null) return initial;
  const first = (typeof type === 'string' ? [type] : type).find((one) => one !== 'null');
  return EMPTY[first ?? ''] ?? null;
}
