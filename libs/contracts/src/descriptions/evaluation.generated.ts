/** Made of the doc comments by generate-descriptions.mjs. */
export const EVALUATION: Record<string, [string, Record<string, string>]> = {
  MonitorCreateDto: ["Body of `POST /evaluation/monitors`.", {
    project_id: "Project `<entity>/<project>` of scorer and calls.",
    name: "Name, 1 to 128 characters, unique in the project.",
    scorer: "The scorer: its ref, its id for the version that is the newest now, or `<id>:<version>`.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too, without `$search`. Absent or null: none.",
    sample_rate: "Share of these calls that is judged, above 0, at most 1: drawn by a hash of monitor and call. Absent or null: 1.",
    max_cost_usd_per_day: "Most US dollars to spend on a day (UTC) beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project.",
    paused: "Whether it judges nothing for now. Absent or null: false.",
  }], MonitorUpdateDto: ["Body of `PUT /evaluation/monitors/{monitor_id}`: what is absent stays.", {
    scorer: "The scorer: its ref, its id for the version that is the newest now, or `<id>:<version>`. Absent or null: as before.",
    sample_rate: "Share of the calls that is judged, above 0, at most 1. Absent or null: as before.",
    max_cost_usd_per_day: "Most US dollars to spend on a day (UTC), above 0. Absent or null: as before.",
    paused: "Whether it judges nothing for now. Absent or null: as before.",
  }], MonitorDayDto: ["What a monitor has done since midnight (UTC).", {
    counts: "Calls by state.",
    problems: "Why calls have no verdict, the most frequent reasons first, at most 20.",
    cost_usd: "Spent, in US dollars.",
  }], MonitorDto: ["A scorer that judges new calls as they come.", {
    id: "Id of the monitor.",
    project_id: "Project `<entity>/<project>`.",
    name: "Name.",
    scorer: "Ref of the scorer's version.",
    filter: "Which calls are meant. Null: all.",
    query: "Condition that they meet, too. Null: none.",
    sample_rate: "Share of these calls that is judged.",
    max_cost_usd_per_day: "Most US dollars to spend on a day. Null: no limit of its own.",
    status: "`live`; `paused`; `budget_spent`: until midnight (UTC); `failed`: see `error`.",
    error: "Why it judges nothing today. Null: it does, or is paused.",
    today: "What it has done since midnight (UTC). Null: nothing.",
    created_at: "When it was made, ISO 8601 in UTC.",
  }], MonitorsQueryDto: ["Query of `GET /evaluation/monitors`.", {
    project_id: "Project `<entity>/<project>`.",
  }], MonitorListDto: ["Answer of `GET /evaluation/monitors`: all of the project, at most 50, by their names.", {
    monitors: "Monitors.",
  }], ScorerKindDto: ["A kind of scorers.", {
    kind: "Name of the kind: `check`, a rule that is computed, or `llm`, a model that is asked.",
    checks: "Names of the checks to choose from. Absent: the kind has none.",
    description: "What scorers of the kind do, and what they ask for, in sentences for people.",
  }], ScorerKindListDto: ["Answer of `GET /evaluation/scorer-kinds`.", {
    kinds: "All kinds, those that cost nothing first.",
  }], ScoringCreateDto: ["Body of `POST /evaluation/scorings`.", {
    project_id: "Project `<entity>/<project>` of scorer and calls.",
    scorer: "The scorer: its ref, its id for the newest version, or `<id>:<version>`.",
    call_ids: "Ids of the calls, at most 1,000. Absent or null: `filter` and `query` say which.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    limit: "Most calls, the newest first, 1 to 100,000. Absent or null: 1,000.",
    max_cost_usd: "Most US dollars to spend beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project.",
  }], ScoringCountsDto: ["How many calls of a scoring are in which state.", {
    pending: "Wait, or are judged now.",
    done: "Have a verdict.",
    skipped: "Have nothing that the scorer judges.",
    failed: "Have no verdict after all tries.",
    judged_before: "Had a verdict of this version already, or are being judged for another scoring.",
  }], ScoringProblemDto: ["Calls that have no verdict for one reason.", {
    state: "`skipped` or `failed`.",
    code: "Why, as `judge_answered_nonsense`.",
    calls: "How many calls.",
    example_call_id: "Id of one of them.",
  }], ScoringDto: ["A job that judges calls with one version of a scorer.", {
    id: "Id of the job.",
    project_id: "Project `<entity>/<project>`.",
    scorer: "Ref of the scorer's version.",
    status: "`queued` and `running`, then one of the others for good.",
    is_planned: "Whether all calls have been found, so that the counts are of all.",
    counts: "Calls by state.",
    problems: "Why calls have no verdict, the most frequent reasons first, at most 20.",
    cost_usd: "Spent so far, in US dollars.",
    max_cost_usd: "Most to spend. Null: no limit of its own.",
    error: "Why the job failed. Null: it did not.",
    created_at: "When it was made, ISO 8601 in UTC.",
    finished_at: "When it ended, ISO 8601 in UTC. Null: it has not.",
  }], ScoringsQueryDto: ["Query of `GET /evaluation/scorings`.", {
    project_id: "Project `<entity>/<project>`.",
    cursor: "`next_cursor` of the page before. Absent: the newest jobs.",
  }], ScoringPageDto: ["Answer of `GET /evaluation/scorings`: at most 50 jobs, the newest first.", {
    scorings: "Jobs.",
    next_cursor: "Goes into the next request. Null: there are no more.",
  }], TryScorerDto: ["Body of `POST /evaluation/scorers/try`.", {
    project_id: "Project `<entity>/<project>` of scorer and calls.",
    scorer: "A stored scorer: its ref, its id, or `<id>:<version>`. Absent or null: `definition` is tried.",
    definition: "A draft of a scorer. Absent or null: `scorer` is tried.",
    call_ids: "Ids of the calls that are judged, 1 to 20.",
  }], VerdictDto: ["What a scorer found about a call.", {
    call_id: "Id of the call.",
    state: "`done`; `skipped`: the call has nothing that the scorer judges; `failed`: there is no verdict.",
    code: "Why it was skipped or failed, as `missing_reference` or `judge_answered_nonsense`. Null: it was not.",
    ratings: "Name -> number.",
    tags: "What is so.",
    reason: "Why, in the judge's words. Null: a check gives none.",
    cost_usd: "Cost in US dollars.",
    spread: "Standard deviation of each rating over the votes. Null: there was one vote.",
  }], TryScorerResultDto: ["Answer of `POST /evaluation/scorers/try`.", {
    verdicts: "A verdict of each call, in the order of `call_ids`.",
    cost_usd: "Cost of all in US dollars.",
    judged: "How many calls were judged.",
  }],
};
