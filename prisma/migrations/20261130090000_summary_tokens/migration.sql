-- The tokens that the summary of a call has of each model, as `readTokenUsage` of libs/calls reads them, for calls whose columns
-- are not derived of it yet. A summary that counts more calls than its own sums its descendants, which are counted themselves.
-- A function, since queries over many calls name it: to plan its statement costs more than most of them take.
CREATE FUNCTION "hone_summary_tokens"(project uuid, call text)
RETURNS TABLE (model text, place bigint, requests float8, prompt float8, completion float8, total float8, cached float8, written float8, reasoning float8)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT model, place, requests::float8, prompt::float8, completion::float8, total::float8, CASE WHEN cached IS NOT NULL THEN least(cached, prompt) END::float8 AS cached,
    CASE WHEN written IS NOT NULL THEN least(written, prompt - least(coalesce(cached, 0), prompt)) END::float8 AS written,
    CASE WHEN reasoning IS NOT NULL THEN least(reasoning, completion) END::float8 AS reasoning
  FROM (
    SELECT *, CASE WHEN is_additive THEN greatest(sent_total, prompt + completion) ELSE coalesce(sent_total, prompt + completion) END AS total
    FROM (
      SELECT *, coalesce(sent_prompt, 0) + CASE WHEN is_additive THEN from_cache ELSE 0 END AS prompt
      FROM (
        SELECT *, (is_beside AND sent_total IS DISTINCT FROM coalesce(sent_prompt, 0) + completion) OR coalesce(from_cache > sent_prompt, false) AS is_additive
        FROM (SELECT *, coalesce(cached, 0) + coalesce(written, 0) AS from_cache FROM (
  SELECT u.key AS model, u.place, coalesce((CASE jsonb_typeof(u.value -> 'requests') WHEN 'number' THEN (u.value -> 'requests')::numeric END), 0) AS requests, coalesce(hone_count(u.value #> '{prompt_tokens}'),
      hone_count(u.value #> '{input_tokens}'),
      hone_count(u.value #> '{input}'),
      hone_count(u.value #> '{promptTokens}'),
      hone_count(u.value #> '{inputTokens}')) AS sent_prompt,
    coalesce(coalesce(hone_count(u.value #> '{completion_tokens}'),
      hone_count(u.value #> '{output_tokens}'),
      hone_count(u.value #> '{output}'),
      hone_count(u.value #> '{completionTokens}'),
      hone_count(u.value #> '{outputTokens}')), 0) AS completion, coalesce(hone_count(u.value #> '{total_tokens}'),
      hone_count(u.value #> '{total}'),
      hone_count(u.value #> '{totalTokens}')) AS sent_total, coalesce(hone_count(u.value #> '{prompt_tokens_details,cached_tokens}'),
      hone_count(u.value #> '{input_tokens_details,cached_tokens}'),
      hone_count(u.value #> '{input_token_details,cache_read}'),
      hone_count(u.value #> '{cached_tokens}'),
      hone_count(u.value #> '{cache_read_input_tokens}'),
      hone_count(u.value #> '{input_cached_tokens}'),
      hone_count(u.value #> '{input_cache_read}'),
      hone_count(u.value #> '{cache_read_tokens}'),
      hone_count(u.value #> '{cachedInputTokens}'),
      hone_count(u.value #> '{inputTokenDetails,cacheReadTokens}')) AS cached,
    coalesce(hone_count(u.value #> '{prompt_tokens_details,cache_write_tokens}'),
      hone_count(u.value #> '{input_tokens_details,cache_write_tokens}'),
      hone_count(u.value #> '{prompt_tokens_details,cache_creation_tokens}'),
      hone_count(u.value #> '{input_token_details,cache_creation}'),
      hone_count(u.value #> '{cache_write_tokens}'),
      hone_count(u.value #> '{cache_creation_input_tokens}'),
      hone_count(u.value #> '{input_cache_creation}'),
      hone_count(u.value #> '{cache_creation_tokens}'),
      hone_count(u.value #> '{inputTokenDetails,cacheWriteTokens}')) AS written, coalesce(hone_count(u.value #> '{completion_tokens_details,reasoning_tokens}'),
      hone_count(u.value #> '{output_tokens_details,reasoning_tokens}'),
      hone_count(u.value #> '{output_token_details,reasoning}'),
      hone_count(u.value #> '{reasoning_tokens}'),
      hone_count(u.value #> '{output_reasoning_tokens}'),
      hone_count(u.value #> '{output_reasoning}'),
      hone_count(u.value #> '{reasoningTokens}')) AS reasoning,
    (NOT u.value ? 'prompt_tokens' AND u.value ?| '{cache_read_input_tokens,cache_creation_input_tokens,input_cached_tokens,input_cache_read,input_cache_creation}'::text[]) AS is_beside
  FROM (
    SELECT coalesce(s.summary_json, s.summary_text::jsonb) AS summary FROM call_values s
    WHERE s.project_id = project AND s.id = call
      AND (s.summary_json -> 'usage' IS NOT NULL OR s.summary_text LIKE '%"usage"%')
    LIMIT 1
  ) used CROSS JOIN LATERAL jsonb_each((CASE jsonb_typeof(used.summary -> 'usage') WHEN 'object' THEN used.summary -> 'usage' ELSE '{}'::jsonb END)) WITH ORDINALITY u (key, value, place)
  WHERE jsonb_typeof(u.value) = 'object'
    AND (used.summary -> 'status_counts' IS NULL OR coalesce((
      SELECT sum(n.value::numeric) FROM jsonb_each((CASE jsonb_typeof(used.summary -> 'status_counts') WHEN 'object' THEN used.summary -> 'status_counts' ELSE '{}'::jsonb END)) n
      WHERE jsonb_typeof(n.value) = 'number'), 0) <= 1)) sent) summed
      ) told
    ) whole
  ) counted;
END $$;
