/** Made of the doc comments by generate-descriptions.mjs. */
export const TRACE: Record<string, [string, Record<string, string>]> = {
  AgreementQueryDto: ["Query of `GET /annotation_queues/{queue_id}/agreement`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    name: "Name of the annotation, as in the type `hone.annotation.<name>`, 1 to 128 characters.",
    level: "How Krippendorff's alpha compares values: `nominal` (equal or not), `ordinal` (by rank) or `interval` (by distance). On the last two, values that are no numbers do not count. Absent: `nominal`.",
  }], AnnotatorPairDto: ["How well two annotators agree.", {
    a: "Id of one annotator.",
    b: "Id of the other one, the greater of both ids.",
    n: "Items that both have rated.",
    cohen_kappa: "Cohen's kappa, -1 to 1, where 0 is what chance gives. Null: undefined, because both use one and the same value alone.",
  }], AgreementDto: ["Answer of `GET /annotation_queues/{queue_id}/agreement`. Ratings are the values of `hone.annotation.<name>` with this `queue_id`, the newest of each annotator for each item in the queue; values of more than 256 KiB do not count.", {
    items: "Items with a rating.",
    annotators: "Annotators with a rating.",
    pairs: "Every two annotators who have rated an item in common, by their ids.",
    fleiss_kappa: "Fleiss' kappa over the items with the commonest number of ratings of at least two. Null: undefined, because there are none, or all their ratings are equal.",
    krippendorff_alpha: "Krippendorff's alpha over the items with at least two ratings. Null: undefined, because there are none, or all their ratings are equal.",
    disagreements: "Ids of the items with different ratings, in the order of the queue.",
  }], AssigneesSetDto: ["Body of `PUT /annotation_queues/{queue_id}/items/{item_id}/assignees`: one of `user_ids` and `emails`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    user_ids: "Ids of all assignees from now on, at most 100; empty: nobody. Each may annotate in the project.",
    emails: "The same by username, at most 100: Hone keeps no e-mail addresses beside the names of users.",
  }], AssigneeDto: ["Somebody who should annotate an item.", {
    user_id: "Id of the user.",
    username: "Name of the user.",
    created_at: "When the item was assigned, ISO 8601 in UTC.",
    created_by: "Id of the user who assigned it.",
  }], AssigneesResultDto: ["The assignees of an item.", {
    assignees: "All assignees, by username.",
  }], ReopenDto: ["Body of `POST /annotation_queues/{queue_id}/items/{item_id}/reopen`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    user_id: "Id of the annotator whose state becomes `unstarted` again.",
    reason: "Why, 1 to 1,024 characters; the audit keeps it.",
  }], ReopenResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/reopen`.", {
    item: "The item, with the state of that annotator.",
  }], AnnotationAuditDto: ["One change that somebody made to the work of others.", {
    id: "Id of the entry.",
    item_id: "Id of the item.",
    actor_id: "Id of the user who made the change.",
    action: "What was done: `assign` or `reopen`.",
    before: "What was there: `{user_ids}` of `assign`, `{user_id, state}` of `reopen`.",
    after: "The same after the change.",
    reason: "The reason that was given. Null: none is asked for.",
    at: "When it was done, ISO 8601 in UTC.",
  }], AnnotationAuditResultDto: ["Answer of `GET /annotation_queues/{queue_id}/items/{item_id}/audit`.", {
    entries: "The changes, the oldest first.",
  }], ClaimDto: ["Body of `POST /annotation_queues/{queue_id}/items/claim`; the annotator is the caller.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    lease_seconds: "How long the item is reserved, in seconds, 10 to 86,400. Absent or null: as the queue says.",
    besides_item_id: "Id of an item that the caller is working on: another item is answered, so that it can be loaded meanwhile. The leases of both stay. Absent or null: the item of a lease that the caller has comes first.",
  }], LeaseDto: ["A reservation of one item for one annotator. It ends when it expires, or when the item is completed or skipped.", {
    id: "Id of the lease.",
    expires_at: "When the lease expires unless it is renewed, ISO 8601 in UTC.",
  }], ClaimResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items/claim`.", {
    item: "The item to annotate. Null: the queue has nothing for the caller now.",
    lease: "Its lease. Null: there is no item.",
  }], LeaseRenewDto: ["Body of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/renew`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    lease_id: "Id of the caller's lease of this item.",
    lease_seconds: "How long the item is reserved from now on, in seconds, 10 to 86,400. Absent or null: as the queue says.",
  }], LeaseResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/renew`.", {
    lease: "The lease with its new end.",
  }], LeaseReleaseDto: ["Body of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/release`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    lease_id: "Id of the caller's lease of this item.",
  }], ProgressUpdateDto: ["Body of `POST /annotation_queues/{queue_id}/items/{item_id}/progress`; the annotator is the caller.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    annotation_state: "State to move the item to: from `unstarted` to any, from `in_progress` to `completed` or `skipped`. The state that it has already changes nothing.",
  }], QueueItemDto: ["A call awaiting annotators.", {
    id: "Id of the item.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    queue_id: "Id of the queue.",
    call_id: "Id of the call to annotate.",
    call_started_at: "When the call began, ISO 8601 in UTC.",
    call_op_name: "What was called: an op ref or any name.",
    call_trace_id: "Id of the trace that the call belongs to.",
    display_fields: "Paths into the call that an annotator is shown.",
    created_at: "When the call was put into the queue, ISO 8601 in UTC.",
    created_by: "Id of the user who put the call into the queue.",
    updated_at: "When the item or the caller's progress last changed, the newest of both.",
    call_ended_at: "When the call ended, ISO 8601 in UTC. Null: it still runs.",
    added_by: "Id of the user who added the item. Null: not known.",
    annotator_user_id: "Id of the annotator whose state is shown. Null: no annotator has a state here.",
    deleted_at: "When the item was removed. Null: it was not.",
    position_in_queue: "Position in the queue, from 1. Null: the query did not ask for it.",
    annotation_state: "The caller's own state; in a query that of the newest progress of any annotator. `call_deleted`: the call is gone, and nobody is given the item any more.",
  }], ProgressResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/progress`.", {
    item: "The item after the move.",
  }], QueueItemRemoveResultDto: ["Answer of `DELETE /annotation_queues/{queue_id}/items/{item_id}`.", {
    item: "The item that was removed, with the caller's own state.",
  }], QueueItemFilterDto: ["Conditions on items; all that are given must hold.", {
    id: "Id of the item. Absent or null: any.",
    call_id: "Id of the call. Absent or null: any.",
    call_op_name: "Name of what was called. Absent or null: any.",
    call_trace_id: "Id of the trace of the call. Absent or null: any.",
    added_by: "Id of the user who added the item. Absent or null: any.",
    annotation_states: "The newest progress of any annotator is one of these states, at most 1,000 entries. Absent, null or empty: any.",
  }], QueueItemSortDto: ["One field to sort by.", {
    field: "Field of the item.",
    direction: "`asc` or `desc`.",
  }], QueueItemQueryDto: ["Body of `POST /annotation_queues/{queue_id}/items/query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which items are meant. Absent or null: all.",
    sort_by: "Fields to sort by, the first before the second. Absent or null: the order in which the items were added.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
    cursor: "Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter` and `sort_by`. `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no pages.",
    include_position: "Whether `position_in_queue` is filled. Absent or null: false.",
  }], QueueItemQueryResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items/query`.", {
    items: "The items; state and annotator are those of the newest progress of any annotator.",
    next_cursor: "Cursor of the next page. Null: this is the last. Absent: the body had no cursor.",
  }], QueueCreateDto: ["Body of `POST /annotation_queues`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    name: "Name of the queue, 1 to 256 characters.",
    description: "What annotators are to do. Absent or null: empty.",
    scorer_refs: "Refs of the annotation specs that the queue asks for, at most 1,000. Absent or null: none.",
    reviewers_per_item: "Most annotators who may work on one item, 1 to 1,000. Absent or null: any number.",
    lease_seconds: "How long a claimed item is reserved, in seconds, 10 to 86,400. Absent or null: 900.",
    assigned_only: "Whether only the assignees of an item may annotate it. Absent or null: false.",
  }], QueueCreateResultDto: ["Answer of `POST /annotation_queues`.", {
    id: "Id of the new queue, a UUID.",
  }], QueueDto: ["A queue of calls that wait for annotators.", {
    id: "Id of the queue.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    name: "Name of the queue.",
    description: "What annotators are to do.",
    scorer_refs: "Refs of the annotation specs that the queue asks for.",
    reviewers_per_item: "Most annotators who may work on one item. Null: any number.",
    lease_seconds: "How long a claimed item is reserved, in seconds.",
    assigned_only: "Whether only the assignees of an item may annotate it.",
    created_at: "When the queue was made, ISO 8601 in UTC.",
    created_by: "Id of the user who made it.",
    updated_at: "When the queue itself last changed, ISO 8601 in UTC; its items do not count.",
    deleted_at: "When the queue was deleted, ISO 8601 in UTC. Null: it was not.",
  }], QueueResultDto: ["Answer of reads, changes and deletions of one queue.", {
    queue: "The queue.",
  }], QueueUpdateDto: ["Body of `PUT /annotation_queues/{queue_id}`; what is not given stays as it is.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    name: "New name, 1 to 256 characters. Absent or null: unchanged.",
    description: "What annotators are to do. Absent or null: unchanged.",
    scorer_refs: "Refs of the annotation specs that the queue asks for, at most 1,000. Absent or null: unchanged.",
    reviewers_per_item: "Most annotators who may work on one item, 1 to 1,000; work in progress stays. Absent: unchanged. Null: any number.",
    lease_seconds: "How long items are reserved from their next claim on, in seconds, 10 to 86,400. Absent or null: unchanged.",
    assigned_only: "Whether only the assignees of an item may annotate it. Absent or null: unchanged.",
  }], QueueSortDto: ["One field of queues to sort by.", {
    field: "Field of the queue; names sort by code point.",
    direction: "`asc` or `desc`.",
  }], QueueQueryDto: ["Body of `POST /annotation_queues/query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    name: "Part of the name, in any case, at most 256 characters. Absent, null or empty: any name.",
    sort_by: "Fields to sort by, the first before the second. Absent, null or empty: the newest queue first; ties by id.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
  }], QueueStatsQueryDto: ["Body of `POST /annotation_queues/stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    queue_ids: "Ids of the queues, at most 1,000. Ids of no queue are left out of the answer.",
    with_own: "Whether `own_items` is answered, too. Absent or null: it is not.",
  }], QueueStatsDto: ["How far annotators are with one queue.", {
    queue_id: "Id of the queue.",
    total_items: "Items in the queue.",
    completed_items: "Items that at least one annotator has completed.",
    own_items: "Items that the caller has completed or skipped. Absent unless the request asks `with_own`.",
  }], QueueStatsResultDto: ["Answer of `POST /annotation_queues/stats`.", {
    stats: "One entry for each queue, in the order of the ids that were sent.",
  }], QueueItemsAddDto: ["Body of `POST /annotation_queues/{queue_id}/items`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    call_ids: "Ids of the calls to add, at most 1,000.",
    display_fields: "Paths into the call that an annotator is shown, at most 1,000 of 1 to 1,024 characters. Absent or null: none.",
  }], QueueItemsAddResultDto: ["Answer of `POST /annotation_queues/{queue_id}/items`.", {
    added_count: "Calls that were added.",
    duplicates: "Calls that were in the queue already, doubles within the request included.",
    not_found: "Ids that name no call of this project, finished or running.",
  }], CallChartsDto: ["Body of `POST /calls/charts`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    start: "Start of the time that is counted, ISO 8601, included. A call belongs to the time at which it began.",
    end: "End of the time that is counted, ISO 8601, excluded. Absent or null: now.",
    granularity: "Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60, 300, 900, 3600, 21600 and 86400 with at most 200 buckets.",
    timezone: "Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`.",
    measures: "What is shown, 1 to 20. Series are ordered by the total of the first, the largest first.",
    group_by: "What calls are told apart by, at most 2: each combination of values is a series. `op` is a function whatever its version; `error_class` is the kind of a failure; `user` is the person that a call was made for; `scorer` is the name of a rating, and goes with `ratings` and `avg_rating` alone. Absent, null or empty: one series of all.",
    limit: "Most series to answer, 1 to 50; all others are summed up in `other`. Absent or null: 10.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
  }], ChartSeriesDto: ["A line of a chart.", {
    key: "Group -> its value, which an expression or filter takes. Null: the calls have none. Of an op: `<ref>:*`.",
    totals: "Measure -> its value over the whole time. Null: there is nothing that it could be computed of.",
    values: "Measure -> its value in each bucket, in the order of `timestamps`.",
  }], CallChartsResultDto: ["Answer of `POST /calls/charts`.", {
    start: "Start of the time that is counted, ISO 8601 in UTC.",
    end: "End of the time that is counted, ISO 8601 in UTC.",
    granularity: "Seconds of a bucket.",
    timezone: "Time zone in which buckets begin.",
    timestamps: "Start of each bucket that has calls or judgements of calls, ISO 8601 in UTC, oldest first.",
    series: "The largest series. Latencies are within 1 % where sums of hours were read, costs in US dollars.",
    other: "All other calls, without a key. Null: there are none.",
    totals: "Measure -> its value over all calls and the whole time.",
    pending_calls: "Calls of the project, at most 10,000, that an earlier version stored and whose users, prompts, checkpoints and kinds of failures are still being read: series of these may miss them until this is 0. All else counts them already.",
  }], CallFacetsDto: ["Body of `POST /calls/facets`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    fields: "Columns, or dotted paths into values, whose values are counted, 1 to 10. `summary.hone.trace.models`: the models that any call of the trace used, which roots mostly do not use themselves.",
    limit: "Most values to answer of each field, 1 to 50. Absent or null: 10.",
    sample: "Most calls to read, 1 to 100,000: the newest of those that meet `filter` and those conditions of `query`, joined by `$and`, that name no value, ask nothing of the trace, and no feedback that many calls have. The rest of `query` is checked among these. Absent or null: 10,000.",
  }], FacetValueDto: ["How many calls have a value.", {
    value: "The value as text: strings as they are, numbers and booleans as JSON, lists as JSON. Where the field is an object, its keys are its values, the first 100 of each call. Null: missing, null, or an object without keys.",
    count: "Calls that have it.",
  }], FacetDto: ["The values of one field.", {
    field: "The field, as it was asked for.",
    values: "The most frequent values, these first; ties by value. Those of more than 256 characters are left out.",
    other: "Sum of the counts of all values that are not among `values`.",
    truncated: "Whether there are values that are not among `values`.",
  }], CallFacetsResultDto: ["Answer of `POST /calls/facets`.", {
    scanned: "Calls that were read, at most `sample`.",
    has_more: "Whether there are older calls, which were not read: the counts are of the newest calls only.",
    oldest_started_at: "When the oldest call that was read began, ISO 8601 in UTC. Null: none was read.",
    count: "Calls among those read that match.",
    facets: "The values of each field, in the order asked for.",
  }], CallFilterDto: ["Conditions on calls; all that are given must hold.", {
    op_names: "What was called is one of these, at most 1,000. A name that ends with `:*` means any version of an op. Absent, null or empty: any.",
    input_refs: "The inputs contain one of these refs, at most 1,000, of any scheme. Absent, null or empty: any.",
    output_refs: "The output contains one of these refs, at most 1,000, of any scheme. Absent, null or empty: any.",
    parent_ids: "The call was made by one of these calls, at most 1,000. Absent, null or empty: any.",
    trace_ids: "The call belongs to one of these traces, at most 1,000. Absent, null or empty: any.",
    call_ids: "The call is one of these, at most 1,000. Absent, null or empty: any.",
    thread_ids: "The call belongs to one of these conversations, at most 1,000. Absent, null or empty: any.",
    turn_ids: "The call belongs to one of these turns, at most 1,000. Absent, null or empty: any.",
    svc_user_ids: "The call was sent by one of these users, at most 1,000 ids. Absent, null or empty: any.",
    run_ids: "The call belongs to one of these runs, at most 1,000. Absent, null or empty: any.",
    trace_roots_only: "Whether only the topmost calls of traces are meant: those that no other call made, and those whose parent has not arrived, for example because it was sent to another backend. Absent or null: false.",
  }], CallsQueryDto: ["Body of `POST /calls/stream_query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    sort_by: "Columns, or dotted paths into values, the first before the second, at most 100. Nulls and missing values come last. Absent or null: `started_at` ascending; ties by `id` ascending.",
    limit: "Most calls to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Calls to skip, 0 to 2,147,483,647. Absent or null: 0.",
    columns: "Fields to answer beside `id` and `project_id`: columns, or dotted paths into `attributes`, `inputs`, `output` and `summary`, each of which becomes a flat key; at most 1,000. Absent, null or empty: all columns. By name alone, besides `summary.hone.status`, `latency_ms` and `trace_name`: `summary.hone.model` (that most tokens are of), `prompt_tokens`, `completion_tokens`, `total_tokens`, `cost` (US dollars), `first_token_ms`, `user`, `prompt`, `input_preview` and `output_preview` (up to 200 characters), and `trace`, sums of all calls of the trace: `{calls, errors, models, prompt_tokens, completion_tokens, total_tokens, cost}`. Expressions and sort orders know all but `cost` and `trace`.",
    expand_columns: "Dotted paths into `inputs` and `output`, at most 1,000. Where one leads to the ref of an object that the caller may read, the value of that object stands instead, an object with the ref as `_ref`. Absent or null: none.",
    include_costs: "Whether `summary.hone.costs` is added. Absent or null: false.",
    include_feedback: "Whether `summary.hone.feedback` is added: the feedback on the call, oldest first. Absent or null: false.",
    include_storage_size: "Whether `storage_size_bytes` is added. Absent or null: false.",
  }], CallsPageQueryDto: ["Body of `POST /calls/query`.", {
    cursor: "Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter`, `query` and `sort_by`. `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no pages.",
  }], CallsPageDto: ["Answer of `POST /calls/query`.", {
    calls: "The calls.",
    next_cursor: "Cursor of the next page. Null: this is the last. Absent: the body had no cursor.",
  }], CallsStatsQueryDto: ["Body of `POST /calls/query_stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    limit: "Calls to count at most, 0 to 2,147,483,647. Absent or null: all.",
  }], CallsStatsResultDto: ["Answer of `POST /calls/query_stats`.", {
    count: "Number of calls that match, at most `limit`.",
    has_more: "Whether there are more than `limit`.",
  }], CallReadDto: ["Body of `POST /call/read`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    id: "Id of the call.",
    include_costs: "Whether `summary.hone.costs` is added. Absent or null: false.",
    include_storage_size: "Whether `storage_size_bytes` is added. Absent or null: false.",
  }], CallDto: ["A call: one traced execution. With `columns`, only the fields that these name, each dotted path as a further key.", {
    id: "Id of the call.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    op_name: "What was called: an op ref or any name.",
    display_name: "Name to show. Null: `op_name`.",
    trace_id: "Id of the trace that the call belongs to.",
    parent_id: "Id of the call that made this call. Null: none, the call is a root.",
    thread_id: "Id of the conversation that the call belongs to. Null: none.",
    turn_id: "Id of the turn in the conversation. Null: none.",
    started_at: "When the call began, ISO 8601 in UTC.",
    ended_at: "When the call ended, ISO 8601 in UTC. Null: it runs.",
    exception: "Why the call failed. Null: it did not fail.",
    attributes: "Metadata of the call, as it was sent.",
    inputs: "Arguments of the call, as they were sent.",
    output: "Result of the call, any JSON, as it was sent. Null: none, or the call runs.",
    summary: "What the call used, as it was sent, with the key `hone`, which the server computes: `status` (`running`, `success`, `error`, or `descendant_error` where a call below it failed or `status_counts.error` of the summary is above 0), `latency_ms` (null while the call runs), `trace_name`, and `costs` and `feedback` where they were asked for.",
    svc_user_id: "Id of the user who sent the first half of the call that came.",
    run_id: "Id of the run that the call belongs to. Null: none.",
    run_step: "Step of the run at the start. Null: none.",
    run_step_end: "Step of the run at the end. Null: none.",
    input_refs: "Refs among the strings of the inputs.",
    output_refs: "Refs among the strings of the output.",
    deleted_at: "Always null: deleted calls do not appear.",
    expire_at: "When the call is deleted by the retention time of its project, ISO 8601 in UTC. Null: never.",
    storage_size_bytes: "Bytes of the four values as compact JSON. Absent: not asked for.",
  }], CallReadResultDto: ["Answer of `POST /call/read`.", {
    call: "The call. Null: there is none with this id, or its start did not come yet.",
  }], CallsUsageDto: ["Body of `POST /calls/usage`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    call_ids: "Ids of the calls, at most 1,000. Ids of no call are left out of the answer.",
    include_costs: "Whether costs are added, by the prices of the project, else by the built-in list. Absent or null: false.",
    limit: "Most calls to read, descendants included, 1 to 100,000; more are a 422. Absent or null: 10,000.",
  }], TraceUsageDto: ["Body of `POST /trace/usage`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    include_costs: "Whether costs are added, by the prices of the project, else by the built-in list. Absent or null: false.",
    limit: "Most calls to read, 1 to 100,000; more are a 422. Absent or null: 10,000.",
  }], CallsUsageResultDto: ["Answer of `POST /calls/usage` and `POST /trace/usage`.", {
    call_usage: "Call id -> model -> what the call and its descendants used: requests, tokens, and costs in US dollars where they were asked for and the model has a price. A call whose summary counts more calls than itself in `status_counts` sums its descendants already, as tracing SDKs do, and is taken as it is.",
    unfinished_call_ids: "Ids of the calls among them that still run, and may use more.",
  }], CallStatsDto: ["Body of `POST /calls/stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    start: "Start of the time that is counted, ISO 8601, included.",
    end: "End of the time that is counted, ISO 8601, excluded. Absent or null: now.",
    filter: "Which calls are meant. Absent or null: all.",
    query: "Condition that the calls meet, too. Absent or null: none.",
    granularity: "Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60, 300, 900, 3600, 21600 and 86400 with at most 200 buckets.",
    timezone: "Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`.",
  }], CallStatsBucketDto: ["What calls of a time did.", {
    timestamp: "Start of the bucket, ISO 8601 in UTC.",
    count: "Calls that began in it.",
    error_count: "Those that failed.",
    avg_latency_ms: "Mean time from start to end in ms. Null: none has ended.",
    p50_latency_ms: "Median time from start to end in ms. Null: none has ended.",
    p95_latency_ms: "Time from start to end in ms that 95 % of them kept to. Null: none has ended.",
    p99_latency_ms: "Time from start to end in ms that 99 % of them kept to. Null: none has ended.",
    usage: "Model -> `{requests, prompt_tokens, completion_tokens, total_tokens, total_cost}`; `total_cost` in US dollars by the prices of the project, of calls whose model has one. Calls whose usage sums that of their descendants are left out.",
  }], CallStatsResultDto: ["Answer of `POST /calls/stats`.", {
    start: "Start of the time that is counted, ISO 8601 in UTC.",
    end: "End of the time that is counted, ISO 8601 in UTC.",
    granularity: "Seconds of a bucket.",
    timezone: "Time zone in which buckets begin.",
    buckets: "Buckets that have calls, oldest first.",
  }], ThreadFilterDto: ["Conditions on conversations; all that are given must hold.", {
    thread_ids: "The conversation is one of these, at most 1,000. Absent, null or empty: any.",
    after_datetime: "Only calls that began at or after this time count, ISO 8601. Absent or null: all.",
    before_datetime: "Only calls that began before this time count, ISO 8601. Absent or null: all.",
  }], ThreadSortDto: ["One field of conversations to sort by.", {
    field: "Field of the conversation.",
    direction: "`asc` or `desc`.",
  }], ThreadsQueryDto: ["Body of `POST /threads/stream_query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which conversations are meant. Absent or null: all.",
    sort_by: "Fields, the first before the second. Absent or null: `last_updated` descending; ties by `thread_id`.",
    limit: "Most conversations to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Conversations to skip, 0 to 2,147,483,647. Absent or null: 0.",
    with_calls: "Whether `first_call_id` and `last_call_id` are answered, too. Absent or null: they are not.",
  }], ThreadDto: ["A conversation: the calls with one `thread_id`.", {
    thread_id: "Id of the conversation.",
    turn_count: "Turns: sets of calls with one `turn_id`, or with one `trace_id` where they have none.",
    start_time: "When its first call began, ISO 8601 in UTC.",
    last_updated: "When its last call ended, or began where none that is later has ended; ISO 8601 in UTC.",
    p50_turn_duration_ms: "Median time of its turns in ms. Null: none has ended.",
    p99_turn_duration_ms: "Time in ms that 99 % of its turns kept to. Null: none has ended.",
    first_call_id: "Id of the call that no other made and that began first. Null: all have callers. Absent unless asked `with_calls`.",
    last_call_id: "Id of the call that no other made and that began last. Null: all have callers. Absent unless asked `with_calls`.",
  }], CallUseJobDto: ["A training job that has read the data.", {
    id: "Id of the job, a UUID.",
    kind: "`sft` or `rl`.",
    status: "State of the job, for example `succeeded`.",
    model_id: "Id of the trained model, a UUID.",
    checkpoint_id: "Id of the checkpoint that the job has made, a UUID. Null: none yet.",
    step: "Step of this checkpoint. Null: none yet.",
  }], CallUseDto: ["Training data that holds the call.", {
    id: "Id of the version, a UUID.",
    url: "The version: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`.",
    digest: "Hex SHA-256 over the paths and hashes of its files.",
    split: "Split that the call is in.",
    created_at: "When the version was made, ISO 8601 in UTC.",
    jobs: "Jobs that have read it, oldest first, of the projects that the caller may read.",
  }], CallUsesDto: ["Answer of `GET /calls/{call_id}/used-in`.", {
    used_in: "Data that holds the call and is not deleted, newest first, at most 100.",
    has_more: "Whether there is more of it.",
  }], CallStartFieldsDto: ["What the first half of a call has beside its id and project.", {
    op_name: "What was called: an op ref or any name, 1 to 512 characters.",
    display_name: "Name to show, at most 1,024 characters. Absent or null: that of an earlier half or update, else none.",
    trace_id: "Id of the trace that the call belongs to, 1 to 128 characters. Absent or null: the call is the root of a new trace.",
    parent_id: "Id of the call that made this call. Absent or null: none.",
    thread_id: "Id of the conversation that the call belongs to, 1 to 128 characters. Absent or null: none.",
    turn_id: "Id of the turn in the conversation, 1 to 128 characters. Absent or null: none.",
    started_at: "When the call began, ISO 8601; without an offset UTC.",
    attributes: "Metadata of the call: a JSON object, kept as sent.",
    inputs: "Arguments of the call: a JSON object, kept as sent.",
    run_id: "Id of the run that the call belongs to, 1 to 128 characters. Absent or null: none.",
    run_step: "Step of the run at the start, 0 to 2,147,483,647. Absent or null: none.",
  }], CallStartDto: ["First half of a call.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    id: "Id of the call, 1 to 128 characters without `/`. Absent or null: the server makes one. A half that is sent again replaces the one before.",
  }], CallEndFieldsDto: ["What the second half of a call has beside its id and project.", {
    ended_at: "When the call ended, ISO 8601; without an offset UTC.",
    display_name: "Name to show, at most 1,024 characters, where it is known only now. Absent or null: that of an earlier half.",
    exception: "Why the call failed. Absent or null: it did not fail.",
    output: "Result of the call, any JSON. Absent or null: none.",
    summary: "What the call used, for example tokens: a JSON object, kept as sent.",
    run_step_end: "Step of the run at the end, 0 to 2,147,483,647. Absent or null: none.",
  }], CallEndDto: ["Second half of a call.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    id: "Id of the call that ended.",
  }], CallHalfDto: ["One half of a call.", {
    mode: "Which half it is: `start` or `end`.",
    req: "`{\"start\": …}` for mode `start`, `{\"end\": …}` for mode `end`.",
  }], CallBatchDto: ["Body of `POST /call/upsert_batch`: all halves are stored, or none.", {
    batch: "The halves, in any order; start and end of one call may come in different requests.",
  }], CallBatchResultDto: ["Answer of `POST /call/upsert_batch`.", {
    res: "`res[i]` belongs to `batch[i]`: `{id, trace_id}` of a start, `{}` of an end.",
  }], CallStartRequestDto: ["Body of `POST /call/start`.", {
    start: "The half to store.",
  }], CallEndRequestDto: ["Body of `POST /call/end`.", {
    end: "The half to store.",
  }], CallStartResultDto: ["Answer of `POST /call/start`.", {
    id: "Id of the call.",
    trace_id: "Id of its trace.",
  }], ProjectCallStartDto: ["First half of a call, in the project of the path.", {
    project_id: "Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path.",
    id: "Id of the call, 1 to 128 characters without `/`. Absent or null: the server makes one. A half that is sent again replaces the one before.",
  }], ProjectCallEndDto: ["Second half of a call, in the project of the path.", {
    project_id: "Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path.",
    id: "Id of the call that ended.",
  }], ProjectCallStartRequestDto: ["Body of `POST /v2/{entity}/{project}/call/start`.", {
    start: "The half to store.",
  }], ProjectCallEndRequestDto: ["Body of `POST /v2/{entity}/{project}/call/end`.", {
    end: "The half to store.",
  }], CompletedCallDto: ["A whole call, in the project of the path.", {
    ended_at: "When the call ended, ISO 8601; without an offset UTC.",
    exception: "Why the call failed. Absent or null: it did not fail.",
    output: "Result of the call, any JSON. Absent or null: none.",
    summary: "What the call used, for example tokens: a JSON object, kept as sent.",
    run_step_end: "Step of the run at the end, 0 to 2,147,483,647. Absent or null: none.",
  }], CallsCompleteDto: ["Body of `POST /v2/{entity}/{project}/calls/complete`: all calls are stored, or none.", {
    batch: "The calls, none included. A call that was sent before is replaced.",
  }], CallUpdateDto: ["Body of `POST /call/update`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    call_id: "Id of the call.",
    display_name: "Name to show instead of `op_name`, at most 1,024 characters; empty: none.",
  }], CallsDeleteDto: ["Body of `POST /calls/delete`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    call_ids: "Ids of the calls, at most 1,000; calls made by them are deleted, too. Ids of no call are ignored.",
  }], CallsDeleteResultDto: ["Answer of `POST /calls/delete`.", {
    num_deleted: "Number of calls that were deleted, those made by the named ones included.",
  }], EmptyResultDto: ["An answer that says no more than that the request was carried out.", {
  }], CostPriceDto: ["What a token of a model costs.", {
    prompt_token_cost: "US dollars for a token of the prompt, 0 or more.",
    completion_token_cost: "US dollars for a token of the completion, 0 or more.",
    cache_read_input_token_cost: "US dollars for a token of the prompt that was read from a cache. Absent or null: as any other token of the prompt.",
    cache_creation_input_token_cost: "US dollars for a token of the prompt that was written into a cache. Absent or null: as any other of the prompt.",
    reasoning_token_cost: "US dollars for a token of reasoning. Absent or null: as any other token of the completion.",
    effective_date: "Calls that begin from then on have this price, ISO 8601. Absent or null: now.",
    provider_id: "Who serves the model, 1 to 128 characters. Absent or null: `default`.",
  }], CostCreateDto: ["Body of `POST /cost/create`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    costs: "Model, as `summary.usage` of calls names it, 1 to 256 characters -> its price.",
  }], CostCreateResultDto: ["Answer of `POST /cost/create`.", {
    ids: "Id and model of each price, in the order of the body.",
  }], CostQueryDto: ["Body of `POST /cost/query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    fields: "Columns to answer, at most 1,000. Absent, null or empty: all.",
    query: "Condition that the prices meet. Absent or null: none.",
    sort_by: "Columns, the first before the second. Absent or null: `created_at` ascending; ties by `id` ascending.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
  }], CostDto: ["A stored price: all fields, or those that `fields` names.", {
    id: "Id of the price.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    model: "Model that the price is of.",
    provider_id: "Who serves the model.",
    prompt_token_cost: "US dollars for a token of the prompt.",
    completion_token_cost: "US dollars for a token of the completion.",
    cache_read_input_token_cost: "US dollars for a token of the prompt that was read from a cache. Null: as any other token of the prompt.",
    cache_creation_input_token_cost: "US dollars for a token of the prompt that was written into a cache. Null: as any other token of the prompt.",
    reasoning_token_cost: "US dollars for a token of reasoning. Null: as any other token of the completion.",
    effective_date: "Calls that begin from then on have this price, ISO 8601 in UTC.",
    created_at: "When the price was stored, ISO 8601 in UTC.",
    created_by: "Id of the user who stored it.",
  }], CostQueryResultDto: ["Answer of `POST /cost/query`.", {
    result: "The prices, at most `limit` of them.",
    total_count: "Prices that match, whatever `limit` and `offset` say.",
  }], CostPurgeDto: ["Body of `POST /cost/purge`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    query: "Which prices are meant: `$eq` of `id` and a literal, `$in` of `id` and literals, or `$or` of these.",
  }], DatasetCreateDto: ["Body of `POST /v2/{entity}/{project}/datasets`.", {
    name: "Name of the dataset, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent or null: `dataset`.",
    description: "What the dataset holds. Absent or null: none.",
    rows: "Rows in their order, at most 1,000,000: JSON objects, kept with the text of their numbers. They are stored as a table.",
  }], DatasetFromCsvQueryDto: ["Query of `POST /v2/{entity}/{project}/datasets/from_csv`.", {
    name: "Name of the dataset, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent: `dataset`.",
    description: "What the dataset holds. Absent: nothing is said.",
    encoding: "`windows-1252` if the text is that. Default `utf-8`; a byte order mark of UTF-16 is recognised.",
    delimiter: "`comma`, `semicolon`, `tab` or `pipe`. Absent: the one that parts the first line into the most cells.",
    types: "Types of columns that are named neither in `numbers` nor in `booleans`: `text`, which is the default, or `proposed`, which makes numbers or booleans of columns that lose nothing by it.",
    numbers: "Columns whose cells are numbers, one for each time that the parameter is sent; a blank cell is null.",
    booleans: "Columns whose cells are `true` or `false`, one for each time that the parameter is sent; a blank cell is null.",
  }], DatasetCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/datasets`.", {
    dataset_ref: "Ref of the version.",
  }], CsvColumnDto: ["A column of a CSV text.", {
    name: "Its name, without the blanks around it.",
    type: "What its cells became: `text`, `number` or `boolean`.",
    proposed_type: "The type that would lose nothing of any of its cells.",
  }], DatasetFromCsvResultDto: ["Answer of `POST /v2/{entity}/{project}/datasets/from_csv`.", {
    num_rows: "How many rows the dataset has.",
    columns: "The columns in their order.",
  }], DatasetVersionDto: ["Answer of `GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}`.", {
    rows: "Ref of the table with the rows, for `/table/query`. Null: the stored value names no table.",
  }], EvalResultsFilterDto: ["Which rows are meant; all conditions that are given must hold.", {
    row_digests: "Digests of rows, at most 1,000. Absent, null or empty: any.",
    in_all_runs: "Whether only rows are meant that every run has. Absent or null: false.",
    statuses: "Rows are meant of which one of the runs has one of these: `predicted`, a prediction that counts and none that failed; `failed`, one that counts and failed; `missing`, none, though the row is in the dataset of the run's evaluation. Absent, null or empty: `predicted` and `failed`.",
  }], EvalResultsSortDto: ["One field of rows to sort by.", {
    field: "`row_digest`, `output`, or a dotted path: `inputs.<path>`, `output.<path>`, `scores.<name>` or `scores.<name>.<path>`; at most 1,024 characters. Numbers sort by their mean over the trials of a row, true as 1, false as 0; then comes text, the least of the trials. Outputs and scores of trials that failed, or do not count, are left out.",
    direction: "`asc` or `desc`; rows without the field come last in both.",
    evaluation_run_id: "Id of the run whose trials count. Absent or null: those of all runs.",
  }], EvalResultsQueryDto: ["Body of `POST /v2/{entity}/{project}/eval_results/query`.", {
    project_id: "Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path.",
    evaluation_run_ids: "Ids of the evaluation runs to compare, 1 to 20: runs of this interface, or calls in which a tracing SDK ran an evaluation. A run that there is not has no rows.",
    filter: "Which rows are meant. Absent or null: all.",
    sort_by: "Fields to sort by, the first before the second, at most 20. Ties, absent and null: `row_digest` ascending.",
    limit: "Most rows to answer, 0 to 1,000. Absent or null: 100.",
    offset: "Rows to skip, 0 to 2,147,483,647. Absent or null: 0.",
  }], EvalTrialDto: ["One prediction for a row.", {
    prediction_id: "Id of the prediction; of an SDK's evaluation, of the call that predicted and scored.",
    output: "What the model answered, as it was sent: any JSON.",
    exception: "Why the prediction failed; of an SDK's evaluation, what its model or a scorer raised. Null: it did not fail.",
    counts: "Whether the trial counts. As many predictions of a row count as the evaluation says `trials`: the newest, and of those that failed only what no newer prediction replaces. Where the trials are not known, all that succeeded count.",
    scores: "Name of a scorer -> what it found, any JSON; the newest where it found something twice.",
    score_exceptions: "Name of a scorer -> why it failed. Empty: none did.",
    score_ids: "Name of a scorer -> id of the score. An SDK's evaluation names none.",
    latency_ms: "Milliseconds from the start of the prediction to its end. Null: it is open.",
  }], EvalRunTrialsDto: ["The predictions of one run for a row.", {
    evaluation_run_id: "Id of the evaluation run.",
    status: "What the run has of the row.",
    trials: "Its predictions for the row, the first made first. Empty: the row is missing.",
  }], EvalResultRowDto: ["What runs found for one row.", {
    row_digest: "Content digest of the inputs, or of the dataset's row; of inputs that an SDK sent whole, mostly another digest of them.",
    inputs: "The inputs, as they were sent; of a dataset's row that an SDK names, its ref; of a missing row, the row.",
    evaluations: "The runs that have the row, in the order of the body; those that miss it only where `missing` is asked for.",
  }], EvalRunSummaryDto: ["How many rows a run has, whatever the filter says.", {
    evaluation_run_id: "Id of the evaluation run.",
    dataset_rows: "Different rows of the evaluation's dataset. Null: the run names no evaluation or dataset that is stored.",
    predicted: "Rows with predictions that count, none of which failed.",
    failed: "Rows with a prediction that counts and failed.",
    missing: "Rows of the dataset without a prediction. Null: `dataset_rows` is null.",
  }], EvalResultsDto: ["Answer of `POST /v2/{entity}/{project}/eval_results/query`.", {
    rows: "The rows of the page.",
    total_rows: "Number of rows on all pages.",
    summary: "How many rows each run has, in the order of the body. An unknown project has no runs.",
  }], EvaluationRunCreateDto: ["Body of `POST /v2/{entity}/{project}/evaluation_runs`.", {
    evaluation: "Ref of the evaluation that is run, an object.",
    model: "Ref of the model that is evaluated, an object or an op.",
  }], EvaluationRunCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/evaluation_runs`.", {
    evaluation_run_id: "Id of the run, which is the id of its call.",
  }], EvaluationRunFinishDto: ["Body of `POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish`.", {
    summary: "What the run found: a JSON object, kept as sent. Absent or null: none.",
    exception: "Why the run failed. Its open predictions fail with it. Absent or null: it did not fail; a run that had failed before has then succeeded.",
  }], FinishResultDto: ["Answer of the end of an evaluation run or a prediction.", {
    success: "Always true: what fails answers an error.",
  }], EvaluationRunDto: ["A run of an evaluation: one model, asked with each row of a dataset.", {
    evaluation_run_id: "Id of the run, which is the id of its call.",
    evaluation: "Ref of the evaluation. Null: the stored call names none.",
    model: "Ref of the model. Null: the stored call names none.",
    status: "`running` until the run is finished, then `success`, or `error` where it was finished with an exception.",
    exception: "Why the run failed. Null: it did not fail.",
    started_at: "When the run began, ISO 8601 in UTC.",
    finished_at: "When the run was finished, ISO 8601 in UTC. Null: it runs.",
    summary: "What the run found, as it was sent. Null: it runs, or nothing was sent.",
    svc_user_id: "Id of the user who began the run.",
  }], TrackedPageQueryDto: ["Query of lists of evaluation runs, predictions and scores.", {
    limit: "Most elements to answer, 0 to 2,147,483,647. Absent: all.",
    offset: "Elements to skip, 0 to 2,147,483,647. Absent: 0.",
  }], EvaluationRunListQueryDto: ["Query of the list of evaluation runs; all conditions that are given must hold.", {
    evaluations: "Refs of evaluations, of any scheme, one for each time that the parameter is sent, at most 1,000. Absent: any.",
    models: "Refs of models, of any scheme, one for each time that the parameter is sent, at most 1,000. Absent: any.",
    evaluation_run_ids: "Ids of runs, one for each time that the parameter is sent, at most 1,000. Absent: any.",
  }], EvaluationRunsDeleteQueryDto: ["Query of the deletion of evaluation runs.", {
    evaluation_run_ids: "Ids of runs, one for each time that the parameter is sent, 1 to 100. Ids of no run are ignored.",
  }], TrackedDeleteResultDto: ["Answer of the deletion of evaluation runs, predictions or scores.", {
    num_deleted: "How many of them this request deleted, without what belongs to them.",
  }], PredictionCreateDto: ["Body of `POST /v2/{entity}/{project}/predictions`.", {
    model: "Ref of the model that was asked, an object or an op.",
    inputs: "What the model was asked: a JSON object, kept as sent. Rows of results are told apart by it.",
    output: "What the model answered: any JSON, kept as sent. May be absent where `exception` says why there is none.",
    exception: "Why the model failed. Absent or null: it did not fail.",
    row_digest: "Digest of the dataset row that the prediction is for, 1 to 256 characters. Absent or null: the content digest of `inputs`, which is that of the row where `inputs` is the whole row.",
    evaluation_run_id: "Id of the evaluation run that the prediction belongs to; it stays open for scores until it, or the run, is finished. Absent or null: none, and the prediction is finished at once.",
  }], PredictionFinishDto: ["Body of `POST /v2/{entity}/{project}/predictions/{prediction_id}/finish`. It may be absent.", {
    exception: "Why the prediction failed, also of one that has ended. Absent or null: what was said before stays.",
  }], PredictionCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/predictions`.", {
    prediction_id: "Id of the prediction, which is the id of its call.",
  }], PredictionDto: ["A prediction: what a model answered.", {
    prediction_id: "Id of the prediction, which is the id of its call.",
    model: "Ref of the model. Null: the stored call names none.",
    inputs: "What the model was asked, as it was sent.",
    output: "What the model answered, as it was sent: any JSON.",
    exception: "Why the prediction failed. Null: it did not fail.",
    evaluation_run_id: "Id of the evaluation run. Null: none.",
    started_at: "When the prediction was sent, ISO 8601 in UTC.",
    finished_at: "When it was finished, ISO 8601 in UTC. Null: it is open for scores.",
    svc_user_id: "Id of the user who sent it.",
  }], PredictionListQueryDto: ["Query of the lists of predictions and of scores.", {
    evaluation_run_id: "Id of the evaluation run that they belong to. Absent: any, or none.",
  }], PredictionsDeleteQueryDto: ["Query of the deletion of predictions.", {
    prediction_ids: "Ids of predictions, one for each time that the parameter is sent, 1 to 100. Ids of no prediction are ignored.",
  }], ScoreCreateDto: ["Body of `POST /v2/{entity}/{project}/scores`.", {
    prediction_id: "Id of the prediction that is judged.",
    scorer: "Ref of the scorer, an object or an op; its name is the name of the score.",
    value: "What the scorer found: any JSON, kept as sent. May be absent where `exception` says why there is nothing.",
    exception: "Why the scorer failed. Absent or null: it did not fail.",
    evaluation_run_id: "Id of the evaluation run of the prediction. Absent or null: that of the prediction; another one is a 422.",
  }], ScoreCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/scores`.", {
    score_id: "Id of the score, which is the id of its call.",
  }], ScoreDto: ["A score: what a scorer found about a prediction.", {
    score_id: "Id of the score, which is the id of its call.",
    prediction_id: "Id of the prediction. Null: the stored call names none.",
    scorer: "Ref of the scorer. Null: the stored call names none.",
    value: "What the scorer found, as it was sent: any JSON.",
    exception: "Why the scorer failed. Null: it did not fail.",
    evaluation_run_id: "Id of the evaluation run. Null: none.",
    created_at: "When the score was sent, ISO 8601 in UTC.",
    svc_user_id: "Id of the user who sent it.",
  }], ScoresDeleteQueryDto: ["Query of the deletion of scores.", {
    score_ids: "Ids of scores, one for each time that the parameter is sent, 1 to 100. Ids of no score are ignored.",
  }], EvaluationCreateDto: ["Body of `POST /v2/{entity}/{project}/evaluations`.", {
    name: "Name of the evaluation, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`.",
    description: "What is evaluated. Absent or null: none.",
    dataset: "Ref of the dataset, an object.",
    scorers: "Refs of the scorers, objects or ops, at most 1,000. Absent or null: none.",
    trials: "How often each row is predicted, 1 to 2,147,483,647. Absent or null: 1.",
    evaluation_name: "Name to show for runs of the evaluation. Absent or null: none.",
    eval_attributes: "Attributes of runs of the evaluation: a JSON object, kept as sent. Absent or null: none.",
  }], EvaluationCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/evaluations`.", {
    evaluation_ref: "Ref of the version.",
  }], EvaluationVersionDto: ["Answer of `GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}`.", {
    dataset: "Ref of the dataset. Null: the stored value names none.",
    scorers: "Refs of the scorers.",
    trials: "How often each row is predicted.",
    evaluation_name: "Name to show for runs of the evaluation. Null: none.",
    eval_attributes: "Attributes of runs of the evaluation. Null: none.",
    evaluate_op: "Ref of the op that runs the evaluation, which SDKs store. Null: none.",
    predict_and_score_op: "Ref of the op that predicts and scores one row, which SDKs store. Null: none.",
    summarize_op: "Ref of the op that summarises the scores, which SDKs store. Null: none.",
  }], ExportConditionDto: ["A condition on what is exported.", {
    $expr: "The condition: an expression of operators, fields and literals, of at most 32 levels and 1,000 nodes; the fields are those of `POST /calls/query` or of `POST /feedback/query`, as `source` says.",
  }], ExportRatingDto: ["A rating of feedback.", {
    name: "Name of the rating, as `scorer_ratings` has it; 1 to 1,024 characters.",
    min: "Least value, included. Absent or null: any.",
    max: "Greatest value, included. Absent or null: any.",
  }], ExportFeedbackDto: ["Which feedback is meant; one record meets all conditions.", {
    feedback_type: "Type of the feedback, 1 to 256 characters.",
    tags: "The feedback has one of these tags, at most 1,000. Absent, null or empty: any.",
    rating: "The feedback has this rating. Absent or null: any.",
  }], ExportDto: ["Body of `POST /export`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    source: "What is exported: `calls`, or records of `feedback`; in the format `sft` the calls that these judge.",
    filter: "Which calls are meant; of the source `calls` only. Absent or null: all.",
    query: "Condition on the calls, or on the feedback, as `source` says. Absent or null: none.",
    feedback: "Only calls with such feedback, or only such feedback, as `source` says. Absent or null: all.",
    format: "`raw`: calls as `POST /calls/stream_query` answers them, records as `POST /feedback/query` does. `sft`: one conversation a line, as training takes it. Absent or null: `raw`.",
  }], ExportLineDto: ["A line of `POST /export` in the format `sft`; in the format `raw` a line is a call or a feedback record. The trailer `X-Row-Count` says how many lines there are, `X-Skipped` how many calls were left out because they have no conversation, or one of more than 4 MiB.", {
    messages: "The messages that the call was made with, and the assistant's message that it answered.",
    tools: "Tools that the call was made with. Absent: none.",
  }], FeedbackHistoryDto: ["Body of `POST /feedback/history`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    id: "Id of the record, 1 to 128 characters; that of a record which was replaced means the one in its place.",
  }], FeedbackRevisionDto: ["A record that was replaced.", {
    revision: "Number of the revision: 0 is the oldest.",
    replaced_at: "When the record was replaced, ISO 8601 in UTC.",
    replaced_by: "Id of the user who replaced it.",
    reason: "The reason that was given. Null: none.",
    record: "The record as it was, with all its fields.",
  }], FeedbackHistoryResultDto: ["Answer of `POST /feedback/history`.", {
    revisions: "The records that this one replaced, the oldest first.",
  }], FeedbackMetricDto: ["A value of payloads that is counted.", {
    json_path: "Dotted path from the payload, 1 to 1,024 characters; a dot in a key is written `\\.`, for example `output.score`.",
    value_type: "Which values count: numbers (`numeric`), truth values (`boolean`), or texts, numbers and truth values (`categorical`). Absent or null: `numeric`.",
    aggregations: "What is computed: `sum`, `avg`, `min`, `max` of numbers, `count_true`, `count_false` of truth values, `count` of all. What does not fit the type is null. Absent, null or empty: `avg`, `min`, `max` of numbers, `count_true` and `count_false` of truth values, `count` of the others.",
    percentiles: "Percentiles of numbers, 0 to 100 each, at most 20. Absent or null: none.",
  }], FeedbackStatsDto: ["Body of `POST /feedback/stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    start: "Start of the time that is counted, ISO 8601, included.",
    end: "End of the time that is counted, ISO 8601, excluded. Absent or null: now.",
    feedback_type: "Only records of this type count, 1 to 256 characters. Absent or null: all.",
    trigger_ref: "Only records with this ref count; a ref that ends in `:*` stands for all versions. Absent or null: all.",
    granularity: "Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60, 300, 900, 3600, 21600 and 86400 with at most 200 buckets.",
    timezone: "Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`.",
    metrics: "Values of payloads that are counted, at most 20. Absent or null: none, records are counted.",
  }], FeedbackStatsResultDto: ["Answer of `POST /feedback/stats`.", {
    start: "Start of the time that is counted, ISO 8601 in UTC.",
    end: "End of the time that is counted, ISO 8601 in UTC.",
    granularity: "Seconds of a bucket.",
    timezone: "Time zone in which buckets begin.",
    buckets: "Buckets that have records, oldest first: `timestamp` (its start, ISO 8601 in UTC), `count` (records), and for each metric `<aggregation>_<slug>` and `p<percentile>_<slug>`, null without a value. The slug is the path with `_` for all but letters, digits and `_`.",
    window_stats: "The same over the whole time: slug -> aggregation or percentile, for example `p95` -> number.",
  }], FeedbackAggregateDto: ["Body of `POST /feedback/aggregate`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    after_ms: "Start of the time that is counted, included, milliseconds since 1970 in UTC.",
    before_ms: "End of the time that is counted, excluded, milliseconds since 1970 in UTC.",
    time_bucket_seconds: "Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: one bucket for the whole time.",
    feedback_types: "Only records whose type begins with one of these count, at most 1,000. Absent, null or empty: all.",
    scorer_ids: "Only records of these scorers count, at most 1,000: `<name>:<digest>` of `runnable_ref`; one that ends in `*` is a prefix. Absent, null or empty: all.",
    monitor_ids: "Only records of these monitors count, at most 1,000: `<name>:<digest>` of `trigger_ref`; one that ends in `*` is a prefix. Absent, null or empty: all.",
    tags: "Only records with one of these tags count, at most 1,000. Absent, null or empty: all.",
    rating_min: "Only records with a rating of this or more, and of `rating_max` or less, count. Absent or null: any.",
    rating_max: "Only records with a rating of this or less, and of `rating_min` or more, count. Absent or null: any.",
    group_by: "What is counted apart within a bucket: `scorer_id`. Absent, null or empty: nothing.",
  }], FeedbackAggregateBucketDto: ["What scorers said in a time.", {
    time_bucket_start_ms: "Start of the bucket, milliseconds since 1970 in UTC. Null: the whole time.",
    group: "What was counted apart: `scorer_id` -> `<name>:<digest>`, empty for records without `runnable_ref`.",
    total_count: "Number of records.",
    scored_count: "Number of records with a tag or a rating.",
    tag_counts: "Tag -> records that have it.",
    rating_sums: "Name of a rating -> sum of its values.",
    rating_counts: "Name of a rating -> records that have it.",
  }], FeedbackAggregateResultDto: ["Answer of `POST /feedback/aggregate`.", {
    after_ms: "Start of the time that is counted, milliseconds since 1970 in UTC.",
    before_ms: "End of the time that is counted, milliseconds since 1970 in UTC.",
    time_bucket_seconds: "Seconds of a bucket. Null: one for the whole time.",
    buckets: "Buckets and groups that have records, oldest first, then by `scorer_id`.",
  }], FeedbackCreateDto: ["Body of `POST /feedback/create`. A field not declared here is a 422.", {
    id: "Id to store the record under, 1..128 characters, unique per project. Absent or null: the server makes one.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    trace_ref: "What is being judged. It is stored without its scheme and not resolved. Absent: `completion_id` says it.",
    completion_id: "In place of `trace_ref`: `id` of a chat completion of this server, `chatcmpl-` and the id of its call in the project, which need not be stored yet. Absent or null: `trace_ref` says what is judged.",
    creator: "Label of who made the judgement, free text of at most 1,024 characters. Absent or null: none.",
    feedback_type: "Type of the judgement, 1 to 256 characters. Types that start with `hone.` may have rules of their own.",
    payload: "Free-form JSON object, stored as sent; at most 1 MiB as compact text.",
    annotation_ref: "Ref of the annotation spec that the payload answers to. Absent or null: none.",
    runnable_ref: "Ref of the scorer that produced the payload. Absent or null: none.",
    call_ref: "Ref of the scorer's own call. Absent or null: none.",
    trigger_ref: "Ref of what caused the scorer to run. Absent or null: none.",
    queue_id: "Id of the annotation queue that the feedback was made from, 1 to 128 characters. Absent or null: none.",
    scorer_tags: "Tags that a scorer applied, at most 1,024 characters each; order and doubles are kept. Absent: none.",
    scorer_tag_reasons: "Tag name -> why the scorer applied it. Absent: none.",
    scorer_tag_confidences: "Tag name -> how sure the scorer is of that tag, 0 (guess) to 1 (certain). Absent: none.",
    scorer_ratings: "Rating name -> rating, 0 to 1. Absent: none.",
    scorer_rating_reasons: "Rating name -> why the scorer rated so. Absent: none.",
    scorer_rating_confidences: "Rating name -> how sure the scorer is of that rating, 0 to 1. Absent: none.",
    svc_user_id: "Ignored: the server writes the id of the caller.",
  }], FeedbackCreateResultDto: ["One stored record, as create answers it.", {
    id: "The client's id, or one the server made.",
    created_at: "When the record was made, ISO 8601 in UTC.",
    svc_user_id: "Id of the user whose key was used.",
    payload: "The payload as sent; reserved types may add keys.",
  }], FeedbackBatchDto: ["Body of `POST /feedback/batch/create`: all are stored, or none.", {
    batch: "The records, none included; they may belong to different projects.",
  }], FeedbackBatchResultDto: ["Answer of `POST /feedback/batch/create`.", {
    res: "`res[i]` belongs to `batch[i]`.",
  }], FeedbackReplaceDto: ["Body of `POST /feedback/replace`: the new record as create takes it, and which one it replaces.", {
    feedback_id: "Id of the record that is replaced, 1 to 128 characters. `id` may be the same.",
    reason: "Why the record is replaced, 1 to 1,024 characters; its history keeps it. Absent or null: no reason.",
  }], FeedbackPurgeDto: ["Body of `POST /feedback/purge`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    query: "Which records are meant: `$eq` of `id` and a literal, `$in` of `id` and literals, or `$or` of these. Ids of no record are no error.",
  }], FeedbackQueryDto: ["Body of `POST /feedback/query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    fields: "Columns, or dotted paths into `payload`, at most 1,000; a dotted name becomes a flat key. Absent or null: all columns.",
    query: "Condition that the records meet. Absent or null: none.",
    sort_by: "Columns, or dotted paths into `payload`, the first before the second, at most 100. Absent or null: `created_at` ascending; ties by `id` ascending.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
    cursor: "Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `query` and `sort_by`. `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no pages.",
    include_total_count: "Whether all records that match are counted for `total_count`, which reads each of them. Absent, null or false: they are counted only when the page shows their number anyway, or when `limit` is 0.",
  }], FeedbackRecordDto: ["A stored record as `/feedback/query` answers it: all fields, or those that `fields` names. A dotted name in `fields` is a further key of the record.", {
    id: "Id of the record.",
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    created_at: "When the record was made, ISO 8601 in UTC.",
    svc_user_id: "Id of the user whose key was used.",
    creator: "Label of who made the judgement. Null: none.",
    feedback_type: "Type of the feedback.",
    trace_ref: "Ref of what was judged.",
    annotation_ref: "Ref of the annotation spec that the payload answers to. Null: none.",
    runnable_ref: "Ref of the scorer that produced the payload. Null: none.",
    call_ref: "Ref of the scorer's own call. Null: none.",
    trigger_ref: "Ref of what caused the scorer to run. Null: none.",
    queue_id: "Id of the annotation queue that the feedback was made from. Null: none.",
    payload: "The payload as it was stored.",
    scorer_tags: "Tags that a scorer applied, in the order in which they were sent.",
    scorer_tag_reasons: "Tag name -> why the scorer applied it.",
    scorer_tag_confidences: "Tag name -> how sure the scorer is of that tag, 0 to 1.",
    scorer_ratings: "Rating name -> rating, 0 to 1.",
    scorer_rating_reasons: "Rating name -> why the scorer rated so.",
    scorer_rating_confidences: "Rating name -> how sure the scorer is of that rating, 0 to 1.",
  }], FeedbackQueryResultDto: ["Answer of `POST /feedback/query`.", {
    result: "The records, at most `limit` of them.",
    total_count: "Records that match, whatever `limit` and `offset` say. Null: there may be more than this page shows, and `include_total_count` did not ask for their number.",
    next_cursor: "Cursor of the next page. Null: this is the last. Absent: the body had no cursor.",
  }], FeedbackPayloadSchemaDto: ["Body of `POST /feedback/payload_schema`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    start: "Only records made at or after this time count, ISO 8601. Absent or null: all.",
    end: "Only records made before this time count, ISO 8601. Absent or null: all.",
    feedback_type: "Only records of this type count, 1 to 256 characters. Absent or null: all.",
    trigger_ref: "Only records with this ref count; a ref that ends in `:*` stands for all versions. Absent or null: all.",
    sample_limit: "The newest records that are looked at, 1 to 10,000. Absent or null: 2,000.",
  }], FeedbackPayloadPathDto: ["A place in payloads where values are.", {
    json_path: "Dotted path from the payload; a dot in a key is written `\\.`, for example `output.score`.",
    value_type: "`numeric` or `boolean` where all values are; `categorical`: texts, or values of several types.",
  }], FeedbackPayloadSchemaResultDto: ["Answer of `POST /feedback/payload_schema`.", {
    paths: "The places, by code point of their paths, at most 1,000: those that most records have. Lists, empty objects, what is below 32 levels, and payloads above 256 KiB are left out.",
  }], FileCreateResultDto: ["Answer of `POST /file/create`.", {
    digest: "Content digest of the bytes: 43 alphanumeric characters.",
  }], FileContentDto: ["Body of `POST /file/content`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digest: "Content digest of the file: 43 alphanumeric characters.",
  }], FileStatsDto: ["Body of `POST /files/query_stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
  }], FileStatsResultDto: ["Answer of `POST /files/query_stats`.", {
    total_size_bytes: "Bytes of the project's files, each counted once.",
  }], FileEraseDto: ["Body of `POST /file/erase`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digests: "Content digests of files, at most 1,000; those that the project does not have are left out.",
  }], FileEraseResultDto: ["Answer of `POST /file/erase`.", {
    num_erased: "How many files were erased; values that name them stay as they are.",
  }], TagsDto: ["Body of `PUT /objs/{object_id}/versions/{digest}/tags`, and of `POST` to its `remove`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    tags: "Tags, at most 1,000, of 1 to 256 letters and digits of any script, `_` and `-`, in words with one blank between two. A version may have any number.",
  }], AliasesSetDto: ["Body of `PUT /objs/{object_id}/aliases`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digest: "Version that gets the aliases: its content digest, `v<N>`, `latest` or another alias. One of `weights`, if given.",
    weights: "Splits the aliases over versions, for requests that name one as the label of their `prompt`: version (content digest, `v<N>`, `latest` or another alias) -> its share of these requests, relative to the sum, 0 to 1,000,000 and at least one above 0. At most 20 versions, each once. A thread gets the same version while the weights stand. Everything else that names the alias gets `digest`. Absent or null: all get `digest`, and weights that were set before are gone.",
    aliases: "Names for the version, at most 1,000, of 1 to 128 characters without `/` and `:`; not `latest`, `v<N>` or a content digest, which are names already. Each names one version of the object: setting it moves it.",
    protected: "Whether the aliases are protected from now on: a protected one neither moves nor goes, with its version neither, which is a 409, until this is set to false. For owners alone. Absent or null: as they are; new ones are not.",
  }], AliasesRemoveDto: ["Body of `POST /objs/{object_id}/aliases/remove`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    aliases: "Aliases of the object, at most 1,000; those that it does not have are no error.",
  }], ObjectAliasDto: ["An alias of an object.", {
    alias: "Its name.",
    digest: "Content digest of the version that it names.",
    protected: "Whether it neither moves nor goes until an owner says so.",
    weights: "Content digests of the versions that prompts with this label are split over -> their shares, relative to the sum. Null: all get `digest`.",
  }], ObjectAliasesResultDto: ["Answer of `GET /objs/{object_id}/aliases`.", {
    aliases: "The aliases of the object, by code point; `latest`, which every object has, is not listed.",
  }], ProjectQueryDto: ["Query that names the project of what is meant.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
  }], TagsResultDto: ["Answer of `GET /tags`.", {
    tags: "All tags of the project's objects, each once, by code point.",
  }], AliasesResultDto: ["Answer of `GET /aliases`.", {
    aliases: "All aliases of the project's objects, each once, by code point; `latest`, which every object has, is not listed.",
  }], ModelCreateDto: ["Body of `POST /v2/{entity}/{project}/models`.", {
    name: "Name of the model, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`.",
    source_code: "Text of the file `obj.py`.",
    description: "What the model does. Absent or null: none.",
    attributes: "Further keys of the stored value, next to name and description. Absent or null: none.",
  }], ModelCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/models`.", {
    model_ref: "Ref of the version.",
  }], ModelVersionDto: ["Answer of `GET /v2/{entity}/{project}/models/{object_id}/versions/{digest}`.", {
    source_code: "Text of the file `obj.py`; empty when there is none.",
    attributes: "All further keys of the stored value.",
  }], ObjectReadDto: ["Body of `POST /obj/read`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    digest: "Version: its content digest, `v<N>`, `latest` or an alias.",
    metadata_only: "Whether the value is left out: `val` is `{}` then. Absent or null: false.",
    include_tags_and_aliases: "Whether `tags` and `aliases` are added. Absent or null: false.",
    as_of: "Time, ISO 8601: `latest` or an alias means the version that it named then. A digest and `v<N>` mean the same at any time. Absent or null: now.",
  }], ObjectRestoreDto: ["Body of `POST /obj/restore`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    digest: "The deleted version: its content digest or `v<N>`. A version that is not deleted stays as it is.",
  }], ObjectReadResultDto: ["Answer of `POST /obj/read`.", {
    obj: "The version.",
  }], ObjectDeleteDto: ["Body of `POST /obj/delete`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    digests: "Versions to delete, 1 to 100: content digests, `v<N>`, `latest` or aliases. Absent or null: all.",
  }], DeletedVersionDto: ["A version that a request deleted.", {
    digest: "Content digest of the version: 43 alphanumeric characters.",
    base_object_class: "Class that its value is of, at its base. Null: none.",
    leaf_object_class: "Class that its value is of. Null: none.",
  }], ObjectDeleteResultDto: ["Answer of `POST /obj/delete`.", {
    num_deleted: "Versions that this request deleted.",
    deleted_versions: "The versions themselves.",
  }], ObjectEraseDto: ["Body of `POST /obj/erase`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    digests: "Content digests of deleted versions, 1 to 100; others are left out. Absent or null: all that are deleted.",
  }], ObjectEraseResultDto: ["Answer of `POST /obj/erase`.", {
    num_erased: "How many versions were erased; nothing brings them back.",
  }], ObjectDraftDto: ["A version of an object to store.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    val: "The value: any JSON, kept with the text of its numbers.",
    builtin_object_class: "Class of object whose keys and defaults the server fills into `val`, which is an object then. Absent or null: none.",
    expected_digest: "Digest that the value should have; another one is a 409. Absent or null: not compared.",
  }], ObjectCreateDto: ["Body of `POST /obj/create`.", {
    obj: "The version to store.",
  }], ObjectCreateResultDto: ["Answer of `POST /obj/create`.", {
    digest: "Content digest of the version: 43 alphanumeric characters.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
  }], ObjectFilterDto: ["Conditions on versions; all that are given must hold.", {
    latest_only: "Whether only the latest version of each object is meant. Absent or null: false.",
    object_ids: "The object is one of these, at most 1,000. Absent, null or empty: any.",
    base_object_classes: "The base class is one of these, at most 1,000. Absent, null or empty: any.",
    exclude_base_object_classes: "The base class is none of these, at most 1,000; versions without a class are kept. Absent, null or empty: any.",
    leaf_object_classes: "The class itself is one of these, at most 1,000. Absent, null or empty: any.",
    is_op: "Whether only ops are meant (true), or only other objects (false). Absent or null: both.",
    tags: "The version has one of these tags, at most 1,000. Absent, null or empty: any.",
    aliases: "The version has one of these aliases, at most 1,000; `latest` is one. Absent, null or empty: any.",
  }], ObjectSortDto: ["One field to sort by.", {
    field: "Field of the version.",
    direction: "`asc` or `desc`.",
  }], ObjectQueryDto: ["Body of `POST /objs/query`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    filter: "Which versions are meant. Absent or null: all.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
    cursor: "Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter` and `sort_by`. `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no pages.",
    sort_by: "Fields to sort by, the first before the second; text sorts by code point, ties by version_index and object_id. Absent or null: `created_at` ascending.",
    metadata_only: "Whether values are left out: `val` is `{}` then. Absent or null: false.",
    include_storage_size: "Whether `size_bytes` is added. Absent or null: false.",
    include_tags_and_aliases: "Whether `tags` and `aliases` are added. Absent or null: false.",
  }], ObjectVersionDto: ["One immutable value of an object.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    created_at: "When the version was made, ISO 8601 in UTC.",
    digest: "Content digest of the version: 43 alphanumeric characters.",
    version_index: "Number of the version: 0, 1, 2, … in the order in which they were made.",
    is_latest: "Whether this is the newest live version: 1, else 0.",
    kind: "`op` for a versioned function, `object` for anything else.",
    base_object_class: "Class that the value is of, at its base. Null: none.",
    leaf_object_class: "Class that the value is of. Null: none.",
    val: "The value, any JSON; `{}` with metadata_only.",
    deleted_at: "Always null: deleted versions do not appear.",
    svc_user_id: "Id of the user who stored the version.",
    size_bytes: "Bytes of the value's canonical text. Absent: not asked for.",
    tags: "Tags of the version, sorted. Absent: not asked for.",
    aliases: "Aliases of the version, sorted. Absent: not asked for.",
  }], ObjectQueryResultDto: ["Answer of `POST /objs/query`.", {
    objs: "The versions, at most `limit` of them.",
    next_cursor: "Cursor of the next page. Null: this is the last. Absent: the body had no cursor.",
  }], OpCreateDto: ["Body of `POST /v2/{entity}/{project}/ops`.", {
    name: "Name of the op, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent or null: `op`.",
    source_code: "Source code of the function: text of the file `obj.py`. Absent or null: empty.",
  }], OpCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/ops`.", {
    op_ref: "Ref of the version.",
  }], OpVersionDto: ["Answer of `GET /v2/{entity}/{project}/ops/{object_id}/versions/{digest}`.", {
    code: "Text of the file `obj.py`; empty when there is none.",
  }], OtlpResourceSpansDto: ["Spans that come from one process.", {
    resource: "The process: `{\"attributes\": […]}`.",
    scopeSpans: "Its spans by the library that they come from: `[{\"scope\": {…}, \"spans\": […]}]`.",
  }], OtlpExportDto: ["Body of `POST /otel/v1/traces`: an `ExportTraceServiceRequest` of OTLP, as JSON or protobuf.", {
    resourceSpans: "Spans by the process and the library that they come from. Absent or null: none.",
  }], OtlpPartialSuccessDto: ["Spans that were not stored.", {
    rejectedSpans: "How many; an integer of 64 bits, which OTLP writes as text.",
    errorMessage: "Why, a sentence for each cause.",
  }], OtlpExportResultDto: ["Answer of `POST /otel/v1/traces`: an `ExportTraceServiceResponse` of OTLP.", {
    partialSuccess: "What was not stored. Absent: every span was.",
  }], OtlpResourceLogsDto: ["Log records that come from one process.", {
    resource: "The process: `{\"attributes\": […]}`.",
    scopeLogs: "Its log records by the library that they come from: `[{\"scope\": {…}, \"logRecords\": […]}]`.",
  }], OtlpLogsDto: ["Body of `POST /otel/v1/logs`: an `ExportLogsServiceRequest` of OTLP, as JSON or protobuf.", {
    resourceLogs: "Log records by the process and the library that they come from. Absent or null: none.",
  }], OtlpLogsPartialSuccessDto: ["Log records that were not stored.", {
    rejectedLogRecords: "How many; an integer of 64 bits, which OTLP writes as text.",
    errorMessage: "Why, a sentence for each cause.",
  }], OtlpLogsResultDto: ["Answer of `POST /otel/v1/logs`: an `ExportLogsServiceResponse` of OTLP.", {
    partialSuccess: "What was not stored. Absent: all that is kept of the log records was.",
  }], OtlpResourceMetricsDto: ["Metrics that come from one process.", {
    resource: "The process: `{\"attributes\": […]}`.",
    scopeMetrics: "Its metrics by the library that they come from.",
  }], OtlpMetricsDto: ["Body of `POST /otel/v1/metrics`: an `ExportMetricsServiceRequest` of OTLP, as JSON or protobuf. It is not kept.", {
    resourceMetrics: "Metrics by the process and the library that they come from, which are dropped. Absent or null: none.",
  }], OtlpMetricsResultDto: ["Answer of `POST /otel/v1/metrics`: an `ExportMetricsServiceResponse` of OTLP, which has no fields.", {
  }], SortCriterionDto: ["One field to sort by.", {
    field: "Column, or dotted path into `payload`, 1 to 1,024 characters.",
    direction: "`asc` or `desc`.",
  }], CallSortDto: ["One field of calls to sort by.", {
    field: "Column, or dotted path into `attributes`, `inputs`, `output` or `summary`, 1 to 1,024 characters.",
    direction: "`asc` or `desc`.",
  }], CostSortDto: ["One field of prices to sort by.", {
    field: "Column, 1 to 1,024 characters.",
    direction: "`asc` or `desc`.",
  }], OfProjectDto: ["A body that names a project, and no more.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
  }], ProjectStatsDto: ["Answer of `POST /project/stats`.", {
    call_count: "Calls that are shown: not deleted, and with their start.",
    calls_size_bytes: "Bytes of the values of these calls as compact JSON.",
    object_version_count: "Live versions of objects.",
    objects_size_bytes: "Bytes of their values as canonical JSON.",
    table_count: "Tables, each with its rows in their order.",
    tables_size_bytes: "Bytes of their rows as canonical JSON; one that several tables hold counts once.",
    feedback_count: "Feedback records.",
    file_count: "Number of files that are stored.",
    files_size_bytes: "Bytes of the files.",
  }], RetentionDto: ["Settings of how long a project keeps its calls.", {
    retention_days: "Days after which a call is deleted, counted from its start. Null: calls are kept.",
    expired_calls: "Calls that are older than that now, those without a start or deleted before included. Absent: no dry run.",
    expired_size_bytes: "Bytes of the values of these calls. Absent: no dry run.",
  }], RedactionDto: ["What the gateway removes from a chat before anything of it is stored: `[redacted]` stands in its place.", {
    paths: "Paths of values, at most 50: `inputs`, `output` or `metadata`, then keys and indexes with dots between them; `*` is each key or index. For example `inputs.messages.*.name`. Also `output` and `thread`.",
    patterns: "Regular expressions in the syntax of RE2, at most 20 of 512 characters. One that does not compile is a 422. What they match is removed from every text: each value and key of its own, so that a match never spans two messages.",
  }], StoredRedactionDto: ["What the gateway removes from chats, as it was set.", {
  }], CallLoggingDto: ["Settings of what the gateway keeps of a project's chats.", {
    log_calls: "`full`: each chat is a call with its request and answer; `metadata`: without these; `off`: it is no call. A request may lessen it by the header `Hone-Log`.",
    redact: "What calls are kept without. Null: nothing is removed.",
  }], CallLoggingUpdateDto: ["Body of `POST /project/call_logging/update`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    log_calls: "`full`, `metadata` or `off`; calls that are stored stay as they are.",
    redact: "What calls are kept without from now on. Null: nothing is removed. Absent: as before.",
  }], SearchBuildingDto: ["How far the calls are that were stored before search was on.", {
    done_calls: "Calls that are searchable by now.",
    total_calls: "Calls that there were when the work began. Null: not counted yet.",
  }], CallSearchDto: ["Whether words of the inputs and outputs of a project's calls are found by `$search`.", {
    search: "Whether words of calls are indexed. A project that says nothing has them indexed.",
    state: "`ready`: all calls are searchable, but for those in `waiting_calls`; `building`: calls that were stored before are being added, from the oldest id to the newest, and those that are missing are not found; `off`: `$search` is a 409.",
    waiting_calls: "Writes of calls that are not searchable yet, counted up to 100,000. Most wait for less than a second; a query waits for them for up to two.",
    building: "Null: `state` is not `building`.",
  }], CallSearchUpdateDto: ["Body of `POST /project/search/update`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    search: "Whether words of calls are indexed. False: what is indexed is deleted. True: calls that are stored are added in the background.",
  }], RetentionUpdateDto: ["Body of `POST /project/ttl_settings/update`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    retention_days: "Days after which a call is deleted, counted from its start, 1 to 36,500. Null: calls are kept.",
    dry_run: "Whether nothing is set or deleted, and what would be deleted is counted instead. Absent or null: false.",
  }], QueryDto: ["A condition on stored records, of at most 32 levels and 1,000 nodes.", {
    $expr: "The condition: an expression of operators, fields and literals.",
  }], CallConditionDto: ["A condition on calls, of at most 32 levels and 1,000 nodes.", {
    $expr: "The condition: an expression of operators, fields and literals.",
  }], CostConditionDto: ["A condition on prices, of at most 32 levels and 1,000 nodes.", {
    $expr: "The condition: an expression of operators, fields and literals.",
  }], RefsReadDto: ["Body of `POST /refs/read_batch`.", {
    refs: "Refs of objects and ops, at most 1,000, of any scheme and project. After the version a ref may go on with steps into the value: `/attr/<name>` and `/key/<name>` for keys, `/index/<n>` for list items, `/id/<digest>` for rows of a table. Where a step meets another ref, it goes on in what that names.",
  }], RefsReadResultDto: ["Answer of `POST /refs/read_batch`.", {
    vals: "The values, in the order of the refs; null for a deleted version, and where the steps lead nowhere.",
  }], ScoreImportDto: ["Body of `POST /feedback/import`: scores as another tool exports them.", {
    project_id: "Project `<entity>/<project>` that has the calls.",
    format: "Whose form the scores have.",
    scores: "The scores, at most 10,000. Of `langfuse` as its interface and its exports have them; of `mlflow` assessments, traces with their assessments, or rows of an evaluation's results. Absent or null: they are in `csv`.",
    csv: "The scores as a CSV file whose first line names the columns, at most 10,000 lines. Absent or null: they are in `scores`.",
    evidence: "Name of a score -> who judged, where that is known better than the export says it. Absent or null: as it says: annotations are people's, evaluations and judges those of a model, all else that of a program.",
  }], RejectedScoresDto: ["Why scores were not stored.", {
    reason: "As a sentence.",
    count: "How many.",
    example: "Id of one of them, or its number in the request, which counts from 0.",
  }], ScoreImportResultDto: ["Answer of `POST /feedback/import`.", {
    created: "Scores that were stored now.",
    updated: "Scores that were there with other content, which their history keeps.",
    unchanged: "Scores that were there.",
    rejected: "Scores that were not stored, by reason, the most frequent first.",
  }], LangfuseScoreDto: ["Body of `POST /api/public/scores`: a score as SDKs of Langfuse send it, or a list of such, at most 10,000. It becomes feedback about the call of its observation, else about the root of its trace, once that call is there.", {
    id: "Id of the score: sent again with it, the score replaces itself. Absent or null: the server makes one.",
    traceId: "Id of the trace.",
    observationId: "Id of the observation, a span. Absent or null: the trace as a whole is judged.",
    name: "What is judged, 1 to 200 characters.",
    value: "A number; of `BOOLEAN` 0 or 1; of `CATEGORICAL`, `TEXT` and `CORRECTION` a text.",
    dataType: "`NUMERIC`, `BOOLEAN`, `CATEGORICAL`, `TEXT` or `CORRECTION`. Absent or null: by the value.",
    source: "`ANNOTATION`: a person judged; `EVAL`: a model; else a program. `metadata.evidence` says otherwise: `human`, `judge` or `check`.",
    comment: "Why. Absent or null: it is not said.",
    metadata: "Anything else. Absent or null: nothing.",
  }], LangfuseScoreResultDto: ["Answer of `POST /api/public/scores`: of one score its id; of a list what became of it.", {
    id: "Of one score: its id.",
    message: "Of a list: `Accepted`, status 202. Absent: one score, or some were rejected.",
    accepted: "Scores that were taken, status 207. Absent: all were.",
    rejected: "Scores that were not. Absent: none.",
    errors: "Why, an object with a `message` for each. Absent: all were taken.",
  }], LangfuseEventsDto: ["Body of `POST /api/public/ingestion`: events of Langfuse SDKs before version 5.", {
    batch: "Events with an `id`, a `type` and a `body`, at most 10,000. The body of `score-create` is that of `POST /api/public/scores`; `sdk-log` is taken and dropped; all others are refused one by one, also what is no event: spans are taken by OpenTelemetry.",
  }], TakenEventDto: ["An event that was taken.", {
    id: "Id of the event, which SDKs know it by.",
    status: "Status of HTTP that it alone would have had: 201.",
  }], RefusedEventDto: ["An event that was refused.", {
    id: "Id of the event; of one without, its number in the batch, which counts from 0.",
    status: "Status of HTTP that it alone would have had.",
    message: "Why, as a sentence.",
  }], LangfuseEventsResultDto: ["Answer of `POST /api/public/ingestion`.", {
    successes: "Events that were taken.",
    errors: "Events that were not: the status is 207 where there are some.",
  }], CheckDto: ["A rule that is computed of a call. Its verdict is the rating `passed`, 1 or 0; numeric ones have the rating `value`, too.", {
    check: "What is computed: `exact` and `contains` compare texts; `regex` searches a pattern; `json_schema` and `json_equal` read the text as JSON; `numeric` compares numbers; `edit_distance` counts changed characters by the longer text's; `latency` and `cost` are those of the call itself; `tool_called` asks for a tool by its name; `language` for the language of the text; `expression` for a condition on the call.",
    of: "Path of what is checked within the call, as `output.answer`, 1 to 256 characters. Absent or null: the text that the call answered.",
    value: "What it is compared with. Absent: see `reference`.",
    reference: "Path of what it is compared with within the call, as `inputs.expected`, 1 to 256 characters. Absent or null: `value` is.",
    ignore_case: "Whether upper and lower case and white space at the ends are the same to `exact` and `contains`. Absent or null: false.",
    pattern: "Of `regex`: a pattern of RE2, which takes linear time, 1 to 1,024 characters.",
    schema: "Of `json_schema`: the JSON Schema (draft 7 or 2020-12) that the value meets.",
    abs: "Of `numeric`: the largest absolute difference. Absent or null: 0.",
    rel: "Of `numeric`: the largest difference relative to the expected number. Absent or null: 0.",
    max: "Of `edit_distance`, `latency` and `cost`: the most that passes, in shares of the longer text's characters, milliseconds, US dollars.",
    tool: "Of `tool_called`: name of the tool, 1 to 256 characters.",
    language: "Of `language`: its code of ISO 639-3, such as `eng`.",
    query: "Of `expression`: the condition that the call meets.",
  }], JudgeMessageDto: ["A message that a judge reads.", {
    role: "Whose message it is.",
    content: "Text with variables, at most 32,768 characters: `{{output}}` is what the call answered, `{{messages}}` the conversation before, `{{reference}}` the expected answer, `{{inputs.…}}` a path of its inputs.",
  }], JudgeRatingDto: ["A number that a judge finds.", {
    name: "Name, 1 to 64 characters, unique among ratings and tags.",
    min: "Least number, included.",
    max: "Largest number, included, above `min`.",
    description: "What is rated, at most 2,048 characters. Absent or null: the name says it.",
    steps: "Number -> what it means. Absent or null: the scale says it.",
  }], JudgeTagDto: ["Something that a judge says is so, or is not.", {
    name: "Name, 1 to 64 characters, unique among ratings and tags.",
    description: "When it is so, at most 2,048 characters. Absent or null: the name says it.",
  }], JudgeDto: ["A model that is asked for a verdict. It always writes its reason before its numbers.", {
    model: "Model of the gateway, a trained model or an alias of one, 1 to 256 characters.",
    messages: "What it reads, 1 to 16 messages. What it is to answer is said after them.",
    ratings: "Numbers that it finds, at most 8. Absent or null: none; then there are tags.",
    tags: "What it says is so or not, at most 16. Absent or null: none; then there are ratings.",
    expected: "Whether a rating is the mean over the numbers of its scale, weighted by how likely the model holds each: where the scale is within 0 to 9, and the model says log-probabilities. Absent or null: false.",
    reference: "Path of the expected answer within the call, for `{{reference}}`, 1 to 256 characters. Absent or null: there is none.",
    votes: "How often it is asked, 1 to 9: ratings are means, tags what most say. Absent or null: once.",
    temperature: "Sampling temperature, 0 to 2. Absent or null: 0 for one vote, 1 for several.",
    seed: "Seed of sampling; each vote adds its number. Absent or null: 0.",
    max_tokens: "Most tokens of its answer, 16 to 8,192; never fewer than its criteria and a short reason take. Absent or null: 512.",
  }], PairwiseDto: ["A model that is asked which of two answers to the same is better, in both orders. Its verdict is the rating `win`: 1 where the call's answer is better in both, 0 where the other one is, 0.5 where they are alike or the orders disagree; then it has the tag `flipped`, too. The mean of `win` is the win rate.", {
    model: "Model of the gateway, a trained model or an alias of one, 1 to 256 characters.",
    messages: "What it reads, 1 to 16 messages. `{{first}}` and `{{second}}` are the two answers, both of which are needed; `{{messages}}` is the conversation before, `{{inputs.…}}` a path of the call's inputs. What it is to answer is said after them.",
    against: "Path of the other answer within the call, as `inputs.expected`, 1 to 256 characters; a call's ref there means what that call answered. Absent or null: an evaluation with a `baseline` says it; of other calls nothing is judged.",
    description: "What makes an answer better, at most 2,048 characters. Absent or null: the messages say it.",
    temperature: "Sampling temperature, 0 to 2. Absent or null: 0.",
    seed: "Seed of sampling. Absent or null: 0.",
    max_tokens: "Most tokens of an answer, 16 to 8,192; never fewer than a short reason takes. Absent or null: 512.",
  }], HttpRatingDto: ["A number that a server finds.", {
    name: "Name, 1 to 64 characters, unique among ratings and tags.",
    min: "Least number, included. Absent or null: any; then there is no `max` either.",
    max: "Largest number, included, above `min`. Absent or null: any.",
  }], HttpScorerDto: ["A server of one's own that is asked for a verdict of each call.", {
    url: "Address that calls are sent to, `http` or `https`, of a host that the operator allows, 1 to 2,048 characters.",
    ratings: "Numbers that it finds, at most 8. Absent or null: none; then there are tags.",
    tags: "Names of what it says is so or not, 1 to 64 characters, at most 16. Absent or null: none; then there are ratings.",
    timeout_ms: "Milliseconds that an answer may take, 1 to 60,000. Absent or null: 10,000.",
  }], ScorerDefinitionDto: ["What a scorer does by itself, without code of its user.", {
    kind: "Kind: `check`, a rule that is computed; `llm`, a model that is asked; `http`, a server of one's own; or `pairwise`, a model that compares the answer with another one.",
    check: "The rule of the kind `check`. Absent or null: it is of another kind.",
    llm: "The judge of the kind `llm`. Absent or null: it is of another kind.",
    http: "The server of the kind `http`. Absent or null: it is of another kind.",
    pairwise: "The comparison of the kind `pairwise`. Absent or null: it is of another kind.",
  }], ScorerCreateDto: ["Body of `POST /v2/{entity}/{project}/scorers`.", {
    name: "Name of the scorer, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`.",
    description: "What the scorer judges. Absent or null: none.",
    op_source_code: "Source code of the function that scores: text of the file `obj.py`. Absent: `definition` says what it does.",
    definition: "What Hone does to judge a call with it. Absent or null: its source code does, where the client runs it.",
  }], ScorerCreateResultDto: ["Answer of `POST /v2/{entity}/{project}/scorers`.", {
    scorer: "Ref of the version.",
  }], ScorerVersionDto: ["Answer of `GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}`.", {
    op_source_code: "Text of the file `obj.py`; empty when there is none.",
    score_op: "Ref of the op that scores, which SDKs store. Null: the source code is all there is.",
    definition: "What Hone does to judge a call with it, of the form of `definition` of its creation. Null: source code does.",
  }], TableDraftDto: ["A table to store.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    rows: "Rows in their order, at most 1,000,000: JSON objects, kept with the text of their numbers. Equal rows are stored once. `/table/update` appends more.",
    expected_digest: "Digest that the table should have; another one is a 409. Absent or null: not compared.",
  }], TableCreateDto: ["Body of `POST /table/create`.", {
    table: "The table to store.",
  }], TableCreateResultDto: ["Answer of `POST /table/create`.", {
    digest: "Digest of the table: hex SHA-256 of the joined row digests, 64 characters.",
    row_digests: "Content digests of the rows, in their order.",
  }], TableFromDigestsDto: ["Body of `POST /table/create_from_digests`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    row_digests: "Content digests of rows that the project has, in the order of the table.",
    expected_digest: "Digest that the table should have; another one is a 409. Absent or null: not compared.",
  }], TableDigestDto: ["Answer of `POST /table/create_from_digests`.", {
    digest: "Digest of the table: hex SHA-256 of the joined row digests, 64 characters.",
  }], TableUpdateDto: ["Body of `POST /table/update`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    base_digest: "Digest of the table to begin with, which stays as it is.",
    updates: "Changes, one after the other: `{\"append\":{\"row\"}}`, `{\"insert\":{\"index\",\"row\"}}` before the row at `index`, or `{\"pop\":{\"index\"}}`, which takes a row out. An index counts from 0 in the rows as they are by then. At most 1,000,000.",
  }], TableUpdateResultDto: ["Answer of `POST /table/update`.", {
    digest: "Digest of the new table: hex SHA-256 of the joined row digests, 64 characters.",
    updated_row_digests: "Content digests of the rows that were appended, inserted or taken out, in the order of the updates.",
  }], TableFilterDto: ["Conditions on rows.", {
    row_digests: "The row is one of these, at most 1,000. Absent, null or empty: any.",
  }], TableSort: ["One field of rows to sort by.", {
  }], TableQueryDto: ["Body of `POST /table/query` and `POST /table/query_stream`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digest: "Digest of the table.",
    filter: "Which rows are meant. Absent or null: all.",
    limit: "Most results to answer, 0 to 2,147,483,647. Absent or null: all.",
    offset: "Results to skip, 0 to 2,147,483,647. Absent or null: 0.",
    sort_by: "Fields to sort by, the first before the second, at most 10: `field` is a dotted path into the row, in which `\\.` is a dot within a key, `direction` is `asc` or `desc`. Values sort as text by code point, missing ones last, ties in the order of the table. Absent, null or empty: the order of the table.",
  }], TableRowDto: ["A row of a table.", {
    digest: "Content digest of the row: 43 alphanumeric characters.",
    val: "The row.",
    original_index: "Position of the row in the table, from 0.",
  }], TableQueryResultDto: ["Answer of `POST /table/query`.", {
    rows: "The rows, at most `limit` of them.",
  }], TableStatsDto: ["Body of `POST /table/query_stats`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digest: "Digest of the table.",
  }], TableStatsResultDto: ["Answer of `POST /table/query_stats`.", {
    count: "Rows of the table.",
  }], TableStatsBatchDto: ["Body of `POST /table/query_stats_batch`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digests: "Digests of tables, at most 1,000; those that the project does not have are left out.",
    include_storage_size: "Whether `storage_size_bytes` is added. Absent or null: false.",
  }], TableStatsItemDto: ["What is known of a table.", {
    digest: "Digest of the table.",
    count: "Rows of the table.",
    storage_size_bytes: "Bytes of the canonical texts of its rows, equal rows counted once. Absent: not asked for.",
  }], TableStatsBatchResultDto: ["Answer of `POST /table/query_stats_batch`.", {
    tables: "The tables that there are, in the order in which they were asked for.",
  }], TableEraseDto: ["Body of `POST /table/erase`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    digest: "Digest of the table. A table that a live version of an object names is not erased: delete the version first.",
  }], TableRowsEraseDto: ["Body of `POST /table/rows/erase`.", {
    project_id: "Project `<entity>/<project>`, for example `acme/summarizer`.",
    row_digests: "Content digests of rows, at most 1,000; those that the project does not have are left out. In every table that has them they read as `{}` until an equal row is stored again.",
  }], TableEraseResultDto: ["Answer of `POST /table/erase` and `POST /table/rows/erase`.", {
    num_erased_rows: "How many rows were erased.",
  }], TypedObjectCreatedDto: ["What the creation of any typed object answers.", {
    digest: "Content digest of the version: 43 alphanumeric characters.",
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    version_index: "Number of the version: 0, 1, 2, … in the order in which they were made.",
  }], TypedObjectVersionDto: ["What any version of a typed object reads as.", {
    object_id: "Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`.",
    digest: "Content digest of the version, whatever selector was asked for.",
    version_index: "Number of the version: 0, 1, 2, … in the order in which they were made.",
    created_at: "When the version was made, ISO 8601 in UTC.",
    name: "The name as it was given; the object's id when none was.",
    description: "What the object is for. Null: none was given.",
  }], TypedObjectListQueryDto: ["Query of a list of typed objects.", {
    limit: "Most objects to answer, 0 to 2,147,483,647. Absent: all.",
    offset: "Objects to skip, 0 to 2,147,483,647. Absent: 0.",
  }], VersionsDeleteResultDto: ["Answer of the deletion of versions of a typed object.", {
    num_deleted: "Versions that this request deleted.",
  }], VersionsDeleteQueryDto: ["Query of the deletion of versions of a typed object. Any other parameter, and any body, is a 422.", {
    digests: "Versions to delete: content digests, `v<N>`, `latest` or aliases, at most 100, one for each time that the parameter is sent; `digests[]` is the same. Absent: all versions, which takes a request without another parameter or a body.",
  }],
};
