"""Scores a trace in every way of the SDK, while it runs and after it: prints the ids of its spans."""

import json

from langfuse import get_client

langfuse = get_client()
with langfuse.start_as_current_observation(as_type="span", name="root") as root:
    with langfuse.start_as_current_observation(as_type="generation", name="answer") as answer:
        langfuse.score_current_span(name="fluent", value=0.75, data_type="NUMERIC", comment="reads well")
        answer.score(name="output", value="It is Berlin.", data_type="CORRECTION", metadata={"evidence": "human"})
    langfuse.score_current_trace(name="liked", value=1, data_type="BOOLEAN", metadata={"evidence": "human"})
    langfuse.flush()  # the scores leave before the root does
langfuse.create_score(name="tone", value="kind", trace_id=root.trace_id, score_id="own", data_type="CATEGORICAL")
langfuse.flush()
langfuse.create_score(name="tone", value="kind", trace_id=root.trace_id, score_id="own", data_type="CATEGORICAL", comment="really")
langfuse.flush()
langfuse.shutdown()
print(json.dumps({"root": root.id, "span": answer.id}))
