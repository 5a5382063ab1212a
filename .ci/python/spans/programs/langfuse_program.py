import chat
from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import openai

langfuse = get_client()


@observe()
def work(question: str) -> dict:
    openai.OpenAI(base_url=chat.client().base_url, api_key="none").chat.completions.create(
        model="m", messages=chat.ASKING, tools=chat.TOOLS
    )
    with langfuse.start_as_current_observation(as_type="tool", name="weather", input={"city": "Bern"}) as tool:
        tool.update(output="rain", level="ERROR", status_message="no umbrella")
    return {"answer": question}


with propagate_attributes(session_id="talk-1"):
    work("2+2?")
langfuse.shutdown()
