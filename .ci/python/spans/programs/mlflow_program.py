import chat
import mlflow

mlflow.openai.autolog()


@mlflow.trace
def work(question: str) -> str:
    chat.ask()
    return f"asked {question}"


work("2+2?")
