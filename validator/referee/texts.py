"""Every sentence in which the referee speaks of movement, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    # ------------------------------------------------------------------ units, hexes, phases
    "unknown-unit": ("there is no unit {unit}", "não há unidade {unit}"),
    "placed-twice": ("{unit} is placed twice", "{unit} aparece duas vezes na posição"),
    "unknown-marker": (
        "a marker {word} there says nothing to the referee",
        "um marcador {word} ali não diz nada ao árbitro",
    ),
    "unknown-status": (
        "no rule of this game reads a status {word}",
        "nenhuma regra deste jogo lê um estado {word}",
    ),
    "unknown-hex": ("{hex} is not on the map", "{hex} não está no mapa"),
    "unknown-terrain": ("this game has no terrain {terrain}", "este jogo não tem o terreno {terrain}"),
    "unknown-option": (
        "this game has no option {name} with the value {value}",
        "este jogo não tem a opção {name} com o valor {value}",
    ),
    "wrong-phase": (
        "{what} belongs to a {wanted} phase; this is {turn} {side} {kind}",
        "{what} pertence a uma fase de {wanted}; esta é {turn} {side} {kind}",
    ),
    "no-phase": ("{what} stands before any phase", "{what} está antes de qualquer fase"),
    "sequence": (
        "turn {turn} {side} {kind} does not follow; next is turn {want_turn} {want_side} {want_kind}",
        "turno {turn} {side} {kind} não vem a seguir; o próximo é turno {want_turn} {want_side} {want_kind}",
    ),
    "no-such-phase": (
        "turn {turn} {side} {kind} is no phase of this game",
        "turno {turn} {side} {kind} não é uma fase deste jogo",
    ),
    "wrong-side": (
        "{who}: {side} units do not act in the {phase_side} movement phase",
        "{who}: unidades do lado {side} não agem na fase de movimentação do lado {phase_side}",
    ),
    "not-there": ("{unit} is in {where}, not in {hex}", "{unit} está em {where}, não em {hex}"),
    "off-map": ("{unit} is not on the map ({where})", "{unit} não está no mapa ({where})"),
    "moved-twice": ("{unit} has already moved in this phase", "{unit} já se moveu nesta fase"),
    "same-unit": ("{unit} is named twice", "{unit} aparece duas vezes"),
    # ------------------------------------------------------------------ paths
    "no-path": ("a way needs at least two hexes", "um caminho precisa de ao menos dois hexágonos"),
    "not-adjacent": ("{a} and {b} do not touch", "{a} e {b} não são adjacentes"),
    "no-way": ("there is no legal way from {a} to {b}", "não há caminho permitido de {a} a {b}"),
    "movement-cost": (
        "{unit}: the way costs {cost} movement points; it has {allowance}",
        "{unit}: o caminho custa {cost} pontos de movimentação; ela tem {allowance}",
    ),
    "way-found": ("{unit}: {path} for {cost} movement points", "{unit}: {path} por {cost} pontos de movimentação"),
    "barred-terrain": ("{unit} may not enter {what} ({hex})", "{unit} não pode entrar em {what} ({hex})"),
    "barred-line": ("{unit} may not cross the {what} to {hex}", "{unit} não pode atravessar {what} para {hex}"),
    "barred-way": ("{unit} may not use the {what} into {hex}", "{unit} não pode usar {what} para {hex}"),
    "barred-hex": ("{unit} may enter {hex} only in retreat", "{unit} só pode entrar em {hex} ao recuar"),
    "uncleared": (
        "{unit} may not enter {hex} before its {what} is cleared",
        "{unit} não pode entrar em {hex} antes da desobstrução ({what})",
    ),
    "barred-water": (
        "{unit} may cross {what} between {a} and {hex} only by a bridge",
        "{unit} só pode atravessar {what} entre {a} e {hex} por ponte",
    ),
    "bridge-closed": (
        "{unit} may not use the bridge between {a} and {hex} this turn",
        "{unit} não pode usar neste turno a ponte entre {a} e {hex}",
    ),
    "frontier": (
        "{unit} may not cross {what} from {a} to {hex}",
        "{unit} não pode atravessar {what} de {a} para {hex}",
    ),
    "enemy-occupied": ("{hex} is held by the enemy", "{hex} está ocupado pelo inimigo"),
    "must-stop": (
        "{unit} must stop in {hex}, an enemy zone of engagement",
        "{unit} tem que parar em {hex}, Zona de Engajamento inimiga",
    ),
    "zone-to-zone": (
        "{unit} may not step from one zone of engagement into another ({hex})",
        "{unit} não pode passar de uma Zona de Engajamento a outra ({hex})",
    ),
    "idle-contact": (
        "{unit} stands next to enemies whom it may not engage where they are",
        "{unit} está junto a inimigos que não pode engajar onde estão",
    ),
    "stacking": (
        "{count} units end in {hex}; at most {limit} may",
        "{count} unidades terminam em {hex}; no máximo {limit} podem",
    ),
    "immobile": ("{unit} may not move in turn {turn}", "{unit} não pode se mover no turno {turn}"),
    "garrison": (
        "{unit} may leave {hex} only in retreat or when an enemy next to it stands in dominant terrain",
        "{unit} só pode deixar {hex} ao recuar ou se houver inimigo adjacente em terreno dominante",
    ),
    "perimeter": (
        "{unit} has passed through and in its turn of entry may move only within {area}; {hex} is outside",
        "{unit} já passou e, no turno de entrada, só pode se mover dentro de {area}; {hex} fica fora",
    ),
    # ------------------------------------------------------------------ coming and going
    "already-here": ("{unit} is on the map already", "{unit} já está no mapa"),
    "not-due": (
        "{unit} is due in turn {due}; this is turn {turn}",
        "{unit} é esperada no turno {due}; este é o turno {turn}",
    ),
    "no-reinforcement": (
        "{unit} is not known as a reinforcement",
        "{unit} não é conhecida como reforço",
    ),
    "no-return": ("{unit} has left the map and may not return", "{unit} saiu do mapa e não pode retornar"),
    "return-turn": (
        "{unit} left in turn {left} and may return in turn {turn} only",
        "{unit} saiu no turno {left} e só pode retornar no turno {turn}",
    ),
    "return-far": (
        "{unit} left by {left} and returns at most {within} hexes from there; {hex} is {distance} away",
        "{unit} saiu por {left} e retorna a no máximo {within} hexágonos; {hex} fica a {distance}",
    ),
    "return-edge": (
        "{unit} left by the {edge} edge and returns there",
        "{unit} saiu pela borda {edge} e retorna por ela",
    ),
    "not-on-edge": ("{hex} is not on the {edge} edge", "{hex} não está na borda {edge}"),
    "no-edge": ("{hex} is on no edge of the map", "{hex} não está em nenhuma borda do mapa"),
    "wrong-edge": (
        "{unit} may enter by {wanted}, not by the {edge} edge",
        "{unit} pode entrar por {wanted}, não pela borda {edge}",
    ),
    "wrong-hex": ("{unit} may enter at {wanted}, not at {hex}", "{unit} pode entrar em {wanted}, não em {hex}"),
    "entry-ground": (
        "{unit} enters by {wanted} only; {hex} has none",
        "{unit} só entra por {wanted}; {hex} não tem",
    ),
    "entry-east": ("{hex} is not west of the {river}", "{hex} não está a Oeste do {river}"),
    "group-edge": (
        "units of one group enter by one edge; {other} came from the {edge}",
        "as unidades do grupo entram pela mesma borda; {other} entrou pela borda {edge}",
    ),
    "not-on-way": ("{hex} is on no {way}", "{hex} não tem {way}"),
    "no-exit": ("{unit} may not leave the map", "{unit} não pode sair do mapa"),
    "exit-edge": (
        "{unit} may leave the map by the {wanted} edge only",
        "{unit} só pode sair do mapa pela borda {wanted}",
    ),
    "exit-unscored": (
        "{unit} leaves without having passed {place}: no points",
        "{unit} sai sem ter passado por {place}: não marca pontos",
    ),
    "exit-late": (
        "{unit} leaves after turn {turn}: no points",
        "{unit} sai depois do turno {turn}: não marca pontos",
    ),
    "withdrawn": ("{unit} was withdrawn in turn {turn}", "{unit} foi retirada no turno {turn}"),
    "withdrawal": ("{who}: withdrawn in turn {turn}", "{who}: retiradas no turno {turn}"),
    "withdrawal-held": (
        "{who} encircled: withdrawn as soon as they are free",
        "{who} cercadas: retiradas assim que liberadas",
    ),
    # ------------------------------------------------------------------ rail, recovery, works
    "no-rail": ("this game has no movement by rail", "este jogo não tem movimentação por ferrovia"),
    "rail-start": ("{unit} does not begin on a railway hex", "{unit} não começa em hexágono de ferrovia"),
    "rail-engaged": (
        "{unit} begins engaged and may not use the railway",
        "{unit} começa engajada e não usa ferrovia",
    ),
    "rail-line": ("no railway leads from {a} to {b}", "nenhuma ferrovia leva de {a} a {b}"),
    "rail-far": (
        "{count} railway hexes; at most {limit} in a turn",
        "{count} hexágonos de ferrovia; no máximo {limit} por turno",
    ),
    "rail-zone": (
        "by rail {unit} may not enter {hex}, an enemy zone of engagement",
        "por ferrovia {unit} não pode entrar em {hex}, Zona de Engajamento inimiga",
    ),
    "recovery-never": ("nobody recovers losses in this game", "ninguém recupera baixas neste jogo"),
    "recovery-full": ("{unit} has no loss to recover", "{unit} não tem baixa a recuperar"),
    "recovery-engaged": (
        "{unit} was engaged in this phase and may not recover",
        "{unit} esteve engajada nesta fase e não pode se recuperar",
    ),
    "recovery-turn": (
        "{side} units may not recover in turn {turn}",
        "unidades do lado {side} não se recuperam no turno {turn}",
    ),
    "recovery-last": (
        "{side} units recover until turn {last} only",
        "unidades do lado {side} se recuperam só até o turno {last}",
    ),
    "recovery-count": ("only {limit} unit a turn may recover", "só {limit} unidade por turno pode se recuperar"),
    "recovery-type": ("{unit} is of a type that does not recover", "{unit} é de um tipo que não se recupera"),
    "recovery-line": (
        "{unit} has no line to the {edge} edge free of enemy zones of engagement",
        "{unit} não tem linha livre de Zonas de Engajamento inimigas até a borda {edge}",
    ),
    "recovery-network": (
        "{unit} is not within {distance} hex of a free road or cleared trail to {place}",
        "{unit} não está a {distance} hexágono de estrada ou trilha livre até {place}",
    ),
    "recovery-cleared": (
        "{unit} stands beyond a trail that is not cleared ({hexes_shut})",
        "{unit} está além de uma trilha não desobstruída ({hexes_shut})",
    ),
    "no-bridging": ("nobody builds bridges in this game", "ninguém constrói pontes neste jogo"),
    "bridge-nobody": ("no unit is named that builds", "falta a unidade que constrói"),
    "bridge-builder": ("{unit} cannot build bridges", "{unit} não pode construir pontes"),
    "bridge-turn": (
        "bridges may be built from turn {turn} on",
        "pontes podem ser construídas a partir do turno {turn}",
    ),
    "bridge-place": ("{unit} does not stand at {a}/{b}", "{unit} não está em {a}/{b}"),
    "bridge-water": ("no river runs between {a} and {b}", "não há rio entre {a} e {b}"),
    "bridge-there": ("there is a bridge between {a} and {b} already", "já há ponte entre {a} e {b}"),
    "bridge-since": (
        "{unit} must have stood by the river since the turn before",
        "{unit} deve estar junto ao rio desde o turno anterior",
    ),
    "bridge-moved": ("{unit} has moved and may not build", "{unit} se moveu e não pode construir"),
    "bridge-again": ("{unit} has built a bridge in this turn", "{unit} já construiu uma ponte neste turno"),
    "bridge-held": (
        "{hex} was not in {side} hands when the turn began",
        "{hex} não estava em poder do lado {side} no início do turno",
    ),
    "worked": (
        "{unit} has worked in this phase and may not move",
        "{unit} trabalhou nesta fase e não pode se mover",
    ),
    "no-clearing": ("nothing is cleared in this game", "nada se desobstrui neste jogo"),
    "clear-nobody": ("no unit is named that clears", "falta a unidade que desobstrui"),
    "clear-unit": ("{unit} cannot clear a {way}", "{unit} não pode desobstruir ({way})"),
    "clear-place": ("{unit} is not in {hex}", "{unit} não está em {hex}"),
    "clear-hex": ("{hex} has no {way} to clear", "{hex} não tem o que desobstruir ({way})"),
    "clear-once": (
        "only {limit} unit a turn may try to clear",
        "só {limit} unidade por turno pode tentar desobstruir",
    ),
    "clear-roll": ("the die that clears {hex} is missing", "falta o dado da desobstrução de {hex}"),
    "die": ("{roll} is no face of a die", "{roll} não é face de um dado"),
    # ------------------------------------------------------------------ air
    "no-air-die": ("no die decides air points in this game", "nenhum dado decide o poder aéreo neste jogo"),
    "air-die-twice": ("the air die of this turn has been thrown", "o dado aéreo deste turno já foi lançado"),
    "air-die-late": (
        "the air die is thrown when the turn begins, before any unit moves",
        "o dado aéreo é lançado no início do turno, antes de qualquer movimento",
    ),
    "air-die-missing": ("the air die of turn {turn} is missing", "falta o dado aéreo do turno {turn}"),
    # ------------------------------------------------------------------ duties
    "must-attack": (
        "{unit} in {hex} is engaged, has not attacked and is not in dominant terrain",
        "{unit} em {hex} está engajada, não atacou e não está em terreno dominante",
    ),
    "must-attack-moved": (
        "{unit} moved next to the enemy ({hex}) and has not attacked",
        "{unit} moveu-se para junto do inimigo ({hex}) e não atacou",
    ),
}
