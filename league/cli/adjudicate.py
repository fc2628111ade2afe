"""`league adjudicate`."""

from pathlib import Path

import click

from league.cli.common import Context, emit, example, json_option, pass_context, read_text


@click.command(
    epilog=example("league adjudicate kuel position.toml --json", "league adjudicate kuel - < position.json")
)
@click.argument("game")
@click.argument("file", metavar="FILE")
@click.option(
    "--board",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A board.toml that stands for the game's own (docs/games/own-board.md).",
)
@json_option
@pass_context
def cli(context: Context, game: str, file: str, board: Path | None, as_json: bool) -> None:
    """The outcome of a round: a position, orders and evidence in FILE (TOML or JSON, - for standard input).

    Nothing is read or stored besides; docs/games/ says what the file may hold.
    """
    from league.core.errors import BadInput
    from league.desk.documents import located, read_document
    from league.desk.own_board import load_board
    from league.desk.play.adjudicate import adjudicate_document

    text, name = read_text(file), "standard input" if file == "-" else file
    document = read_document(text, name)
    own = load_board(board, game) if board is not None else ""
    try:
        found = adjudicate_document(document, game=game, lang=context.lang or "en", board=own)
    except BadInput as error:
        raise located(error, text, name) from error

    def lines() -> str:
        rows = [event["text"] for event in found["events"]]
        rows += [f"{o['seat']}: {o['fate'] or 'waits'}. {o['reason']} ({o['rule']})" for o in found["orders"]]
        rows += [f"pending: {item}" for item in found["pending"]]
        return "\n".join(rows)

    emit(found, as_json, lines)
