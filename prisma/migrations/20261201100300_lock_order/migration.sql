-- Verdicts and cells are locked in the order of their ids, as the evaluation service locks them: an erasure and a settlement that
-- meet wait for each other, and do not deadlock.
CREATE OR REPLACE FUNCTION "hone_delete_verdicts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM verdicts v JOIN gone g ON v.project_id = g.project_id AND v.call_id = g.id
  ORDER BY v.project_id, v.call_id, v.scorer_id, v.scorer_digest, v.trial FOR UPDATE OF v;
  DELETE FROM verdicts v USING gone g WHERE v.project_id = g.project_id AND v.call_id = g.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "hone_forget_cells"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM evaluation_cells c JOIN gone g ON c.project_id = g.project_id AND c.uid = g.id
  ORDER BY c.project_id, c.uid FOR UPDATE OF c;
  UPDATE evaluation_cells c SET result = NULL FROM gone g WHERE c.project_id = g.project_id AND c.uid = g.id;
  RETURN NULL;
END $$;
