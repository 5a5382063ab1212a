/** Goes on with a value at once, or as soon as it is there: an `await` of a value that is there costs microseconds. */
export const step = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
