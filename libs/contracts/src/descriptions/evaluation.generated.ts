/** Made of the doc comments by generate-descriptions.mjs. */
export const EVALUATION: Record<string, [string, Record<string, string>]> = {
  ScorerKindDto: ["A kind of scorers.", {
    kind: "Name of the kind: `check`, a rule that is computed, or `llm`, a model that is asked.",
    checks: "Names of the checks to choose from. Absent: the kind has none.",
    description: "What scorers of the kind do, and what they ask for, in sentences for people.",
  }], ScorerKindListDto: ["Answer of `GET /evaluation/scorer-kinds`.", {
    kinds: "All kinds, those that cost nothing first.",
  }],
};
