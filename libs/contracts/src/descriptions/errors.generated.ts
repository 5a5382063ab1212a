/** Made of the doc comments by generate-descriptions.mjs. */
export const ERRORS: Record<string, [string, Record<string, string>]> = {
  ValidationIssueDto: ["One thing that is wrong with a request.", {
    loc: "Path to the offending input: `body`, `query` or `path`, then keys and indexes.",
    msg: "What is wrong, in a sentence.",
    type: "What kind of mistake it is, for example `missing` or `string_type`; stable.",
  }], ValidationErrorDto: ["Body of every 422.", {
    detail: "What is wrong, in the order of the fields, at most 100 entries.",
  }], ErrorDto: ["Body of every other error.", {
    detail: "What went wrong, in a sentence.",
    code: "`<area.reason>`, stable.",
  }],
};
