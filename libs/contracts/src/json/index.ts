/**
 * `@hone/contracts/json`: exact JSON alone, without validation libraries, for browsers and small clients. In the package
 * that is installed elsewhere, the build of `@hone/json` itself is here.
 */
export * from '@hone/json';
