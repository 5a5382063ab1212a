import type { DomainErrorClass } from './domain-error.js';

const REFUSALS = new WeakMap<object, readonly DomainErrorClass[]>();

/** Declares with which errors a guard, an interceptor or a pipe refuses requests, for the OpenAPI document. */
export const Refuses =
  (...errors: DomainErrorClass[]): ClassDecorator =>
  (type) => {
    REFUSALS.set(type, errors);
  };

/** What {@link Refuses} declared of a class or of one above it. */
export function refusalsOf(type: object | null): readonly DomainErrorClass[] {
  for (let one = type; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    const found = REFUSALS.get(one);
    if (found) return found;
  }
  return [];
}
