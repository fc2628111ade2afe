"""`league games`."""

import click

from league.cli.common import Context, emit, example, json_option, pass_context


@click.group(epilog=example("league games show kuel"))
def cli() -> None:
    """The games that are installed, their options and rules."""


@cli.command("list", epilog=example("league games list --json"))
@json_option
@pass_context
def list_(context: Context, as_json: bool) -> None:
    """The installed games."""
    from league.desk import registry

    metas = [registry.plugin(slug).meta for slug in registry.slugs()]
    lang = context.lang or "en"
    rows = [{"game": m.slug, "title": m.title[lang], "rules": m.versions[-1], "seats": list(m.seats)} for m in metas]
    emit(rows, as_json, "\n".join(f"{m.slug:12} {m.title[lang]} ({m.versions[-1]})" for m in metas))


@cli.command(epilog=example("league games show kuel"))
@click.argument("game")
@json_option
@pass_context
def show(context: Context, game: str, as_json: bool) -> None:
    """What GAME needs and which options a league can choose."""
    from league.desk.play.show_games import facts_of

    told = facts_of(game, context.lang or "en")

    def text() -> str:
        lines = [f"{told['title']} ({told['rules']}), {told['seats'][0]} to {told['seats'][1]} players"]
        lines += [f"  {o['name']} = {o['default']}   ({o['allowed']}; {o['rule']})" for o in told["options"]]
        lines += [f"  preset {name}: {values}" for name, values in told["presets"].items()]
        return "\n".join(lines)

    emit(told, as_json, text)


@cli.command(epilog=example("league games rules kuel --option preset=gentle"))
@click.argument("game")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@click.option("--league", help="With the options of this league of the site.")
@json_option
@pass_context
def rules(context: Context, game: str, options: tuple[str, ...], league: str | None, as_json: bool) -> None:
    """The rules of GAME as numbered statements, with a league's choices."""
    from league.cli.new import split_options
    from league.desk.play.show_games import rules_of

    found = rules_of(game, split_options(options), context.site if league else None, league, context.now)
    emit(found, as_json, lambda: found["text"])
