const ORIGIN = /^https?:\/\/[^/\s]+$/;

/** An environment variable has a value that cannot be used. */
export class EnvironmentError extends Error {
  constructor(variable: string, expected: string, value: string | undefined) {
    super(
      value === undefined
        ? `${variable} is not set: expected ${expected}.`
        : `${variable} is wrong: expected ${expected}.`,
    );
  }
}

/** Reads typed values from environment variables; every error names the variable and what was expected. */
export class Environment {
  constructor(private readonly variables: NodeJS.ProcessEnv = process.env) {}

  /** @param expected how to say what a right value is */
  text(name: string, expected: string, isRight: (value: string) => boolean, fallback?: string): string {
    const value = this.variables[name] || fallback;
    if (value === undefined || !isRight(value)) throw new EnvironmentError(name, expected, value);
    return value;
  }

  /** One of a few words. */
  word<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
    return this.text(name, words.join(', '), (value) => (words as readonly string[]).includes(value), fallback) as Word;
  }

  integer(name: string, min: number, max: number, fallback: number): number {
    const isRight = (value: string) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
    return Number(this.text(name, `an integer from ${min} to ${max}`, isRight, String(fallback)));
  }

  optional(name: string, expected: string, isRight: (value: string) => boolean): string | undefined {
    return this.variables[name] ? this.text(name, expected, isRight) : undefined;
  }

  databaseUrl(): string {
    return this.text('DATABASE_URL', 'postgres://user:password@host:port/database', (value) =>
      /^postgres(ql)?:\/\/[^/]+\/.+/.test(value),
    );
  }

  /** Where another service listens; undefined: the variable is not set. */
  origin(name: string): string | undefined {
    return this.optional(name, 'an origin such as http://host:3000', (value) => ORIGIN.test(value));
  }

  port(name: string, fallback: number): number {
    return this.integer(name, 0, 65_535, fallback);
  }

  refScheme(): string {
    return this.text(
      'HONE_REF_SCHEME',
      'a scheme such as hone: a-z first, then a-z 0-9 + . -',
      (value) => /^[a-z][a-z0-9+.-]*$/.test(value),
      'hone',
    );
  }
}
