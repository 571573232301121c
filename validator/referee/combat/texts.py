"""Every sentence in which the referee speaks of combat, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    # ------------------------------------------------------------------ who and where
    "unknown-unit": ("there is no unit {unit}", "não existe a unidade {unit}"),
    "unknown-hex": ("there is no hex {hex}", "não existe o hexágono {hex}"),
    "no-target": ("no enemy stands in {hex}", "não há inimigo em {hex}"),
    "attacked-before": (
        "{hex} has been attacked before in this phase; a hex is attacked once a turn, in whatever way",
        "{hex} já foi atacado nesta fase; um hexágono só é atacado uma vez por turno, seja como for",
    ),
    "two-targets": (
        "a combat is fought against one hex; each defending hex takes a combat of its own",
        "um combate é travado contra um só hexágono; cada hexágono defensor exige o seu próprio combate",
    ),
    "nobody-adjacent": (
        "nobody attacks from next to the target; fire from afar alone is a bombardment",
        "ninguém ataca de hexágono adjacente; fogo só à distância é bombardeio",
    ),
    "twice-in-one": (
        "{unit} is counted twice in one combat",
        "{unit} é contada duas vezes no mesmo combate",
    ),
    "gun-engaged": (
        "{unit} stands next to the target and so fights as an engaged unit, not from afar",
        "{unit} está adjacente ao alvo: combate engajada, não à distância",
    ),
    "not-its-phase": (
        "{unit} is not of the side that attacks in this phase",
        "{unit} não é do lado que ataca nesta fase",
    ),
    "off-map": ("{unit} is not on the map", "{unit} não está no tabuleiro"),
    "not-adjacent": ("{unit} in {hex} is not next to {targets}", "{unit} em {hex} não está adjacente a {targets}"),
    "fought-before": (
        "{unit} has fought before in this phase; a unit takes part in one combat a phase",
        "{unit} já combateu nesta fase; uma unidade participa de um só combate por fase",
    ),
    "by-rail": (
        "{unit} travelled by rail this turn and may not attack",
        "{unit} viajou de trem neste turno e não pode atacar",
    ),
    "no-engagement": (
        "{unit} may not engage enemies in {hex} ({what})",
        "{unit} não pode engajar inimigos em {hex} ({what})",
    ),
    # ------------------------------------------------------------------ artillery
    "wrong-guns": (
        "{unit} is not of the side that it would fire for",
        "{unit} não é do lado pelo qual atiraria",
    ),
    "no-gun": (
        "{unit} is no artillery that fires from afar",
        "{unit} não é artilharia que atire à distância",
    ),
    "range": (
        "{unit} in {hex} is {distance} hexes from the target; it reaches {range}",
        "{unit} em {hex} está a {distance} hexágonos do alvo; seu alcance é {range}",
    ),
    "silent": (
        "{unit} stands in {what} ({hex}) and may not fire from afar",
        "{unit} está em {what} ({hex}) e não pode atirar à distância",
    ),
    "defends-already": (
        "{unit} stands in the attacked hex: it defends with its defence and cannot support as well",
        "{unit} está no hexágono atacado: defende com sua defesa e não pode também apoiar",
    ),
    "other-division": (
        "{unit} may support only defenders of its own division",
        "{unit} só pode apoiar defensores da sua própria divisão",
    ),
    "two-divisions": (
        "only the artillery of one division may support the defence of {targets}",
        "só a artilharia de uma divisão pode apoiar a defesa de {targets}",
    ),
    "bombards-adjacent": (
        "{unit} stands next to {targets}: it may attack, but not bombard it",
        "{unit} está adjacente a {targets}: pode atacar, mas não bombardear",
    ),
    "mixed-guns": (
        "{units_told} are not of one regiment or division and may not be summed in a bombardment",
        "{units_told} não são do mesmo regimento ou divisão e não podem ser somadas num bombardeio",
    ),
    "no-guns": ("nobody bombards", "ninguém bombardeia"),
    "guns-only-air": (
        "only artillery attacks: aircraft do not support it",
        "só artilharia ataca: não recebe apoio aéreo",
    ),
    "not-in-bombardment": (
        "a bombardment is fired by artillery alone: {what} has no place in it",
        "num bombardeio só a artilharia atira: não cabe {what}",
    ),
    "bombards-out-of-phase": (
        "{unit} may bombard only in its own side's combat phase",
        "{unit} só pode bombardear na fase de combate do seu próprio lado",
    ),
    "no-offboard": (
        "the {side} side has no guns beyond the map in turn {turn}",
        "o lado {side} não tem canhões fora do tabuleiro no turno {turn}",
    ),
    "offboard-spent": (
        "the {side} side has {left} of {total} points of guns beyond the map left this turn, not {points}",
        "o lado {side} ainda tem {left} de {total} pontos de canhões fora do tabuleiro neste turno, não {points}",
    ),
    # ------------------------------------------------------------------ air
    "no-bombardment": (
        "this game has no table of bombardment: nobody is attacked from afar alone",
        "este jogo não tem tabela de bombardeio: ninguém é atacado só à distância",
    ),
    "no-air": ("the {side} side has no air power", "o lado {side} não tem poder aéreo"),
    "air-spent": (
        "the {side} side has {left} air points left this turn, not {points}",
        "o lado {side} ainda tem {left} pontos aéreos neste turno, não {points}",
    ),
    "air-limits": (
        "an air attack takes {least} to {most} points, not {points}",
        "um ataque aéreo usa de {least} a {most} pontos, não {points}",
    ),
    "air-phase": (
        "an attack by air alone is made in the combat phase of the side that flies",
        "um ataque só aéreo é feito na fase de combate do lado que voa",
    ),
    "no-points": ("no points are given for the air attack", "não se dizem os pontos do ataque aéreo"),
    # ------------------------------------------------------------------ figures
    "announce-order": (
        "the attacker announces his total before the defender does",
        "o atacante anuncia o seu total antes do defensor",
    ),
    "announce-late": (
        "after the defender has announced his total nothing may change",
        "depois que o defensor anuncia o seu total nada mais pode mudar",
    ),
    "attack-sum": ("the attack is {computed}, not {declared}", "o ataque soma {computed}, não {declared}"),
    "defence-sum": ("the defence is {computed}, not {declared}", "a defesa soma {computed}, não {declared}"),
    "odds": (
        "{attack} against {defence} is {computed}, not {declared}",
        "{attack} contra {defence} é {computed}, não {declared}",
    ),
    "value": (
        "{power} points times a vulnerability of {vulnerability} is {computed}, not {declared}",
        "{power} pontos vezes uma vulnerabilidade de {vulnerability} são {computed}, não {declared}",
    ),
    "no-column": ("the table has no column {declared}", "a tabela não tem a coluna {declared}"),
    "column": (
        "the column is {computed} ({shifts}), not {declared}",
        "a coluna é {computed} ({shifts}), não {declared}",
    ),
    "shift-forgotten": (
        "the column is {computed}, not {declared}: {columns} for {cause} is missing",
        "a coluna é {computed}, não {declared}: falta {columns} por {cause}",
    ),
    "shift-twice": (
        "the column is {computed}, not {declared}: {columns} for {cause} counts once",
        "a coluna é {computed}, não {declared}: {columns} por {cause} conta uma só vez",
    ),
    "shift-reversed": (
        "the column is {computed}, not {declared}: {cause} moves it by {columns}, not the other way",
        "a coluna é {computed}, não {declared}: {cause} a move {columns}, não no sentido contrário",
    ),
    "shift-added": (
        "the column is {computed}, not {declared}: terrains do not add up so; they give {columns}",
        "a coluna é {computed}, não {declared}: os terrenos não se somam assim; dão {columns}",
    ),
    "shift-off-by-one": (
        "the column is {computed}, not {declared}: {cause} gives {columns}",
        "a coluna é {computed}, não {declared}: {cause} dá {columns}",
    ),
    "dice": (
        "two dice are rolled, with 1 to 6 each; {faces} is not such a roll",
        "lançam-se dois dados, de 1 a 6 cada; {faces} não é um lançamento assim",
    ),
    "dice-sum": (
        "the dice are written one by one; {faces} is taken as their sum",
        "os dados se escrevem um por um; {faces} é tomado como a sua soma",
    ),
    "no-roll": ("no dice were rolled", "não se lançaram os dados"),
    "no-code": (
        "{declared} is no result of this table",
        "{declared} não é um resultado desta tabela",
    ),
    "result": (
        "{roll} in column {column} is {computed}, not {declared}",
        "{roll} na coluna {column} é {computed}, não {declared}",
    ),
    # ------------------------------------------------------------------ losses
    "no-loss": (
        "{unit} has a loss that {result} does not demand",
        "{unit} sofre uma baixa que {result} não exige",
    ),
    "loss-outsider": (
        "{unit} took no part in the fighting next to the enemy and cannot bear the loss",
        "{unit} não combateu engajada e não pode sofrer a baixa",
    ),
    "already-dead": ("{unit} has been eliminated before", "{unit} já foi eliminada"),
    "dies-outright": (
        "{result} eliminates one unit; {unit} does not merely lose a step",
        "{result} elimina uma unidade; {unit} não sofre apenas uma baixa",
    ),
    "not-eliminated": (
        "{unit} is eliminated although nothing demands it",
        "{unit} é eliminada sem que nada o exija",
    ),
    "loss-missing": (
        "{result} costs the {role} a loss that is not taken",
        "{result} custa ao {role} uma baixa que não foi tirada",
    ),
    "elimination-missing": (
        "{result} costs the {role} a unit that is not eliminated",
        "{result} custa ao {role} uma unidade que não foi eliminada",
    ),
    "loss-clause": (
        "one loss must fall on {bearers}: armour engaged armour or anti-tank guns",
        "uma das baixas cabe a {bearers}: blindados engajaram blindados ou artilharia antitanque",
    ),
    "exchange-none": (
        "EMP: the defender eliminates at least one of his units",
        "EMP: o defensor elimina ao menos uma das suas unidades",
    ),
    "exchange-short": (
        "EMP: the attacker eliminates units of at least {computed} points; {declared} are given up",
        "EMP: o atacante elimina unidades de ao menos {computed} pontos; entregou {declared}",
    ),
    "exchange-over": (
        "EMP: {unit} dies although the other units given up suffice",
        "EMP: {unit} é eliminada embora as demais já bastem",
    ),
    # ------------------------------------------------------------------ retreats
    "no-retreat": ("nothing makes {unit} retreat", "nada obriga {unit} a recuar"),
    "retreat-missing": ("{result}: {units_told} must retreat", "{result}: {units_told} deve(m) recuar"),
    "retreat-twice": ("{unit} has retreated before", "{unit} já recuou"),
    "wrong-start": ("{unit} is in {where}, not in {hex}", "{unit} está em {where}, não em {hex}"),
    "path-gap": ("{a} and {b} do not touch", "{a} e {b} não são adjacentes"),
    "retreat-length": (
        "{unit} retreats one hex, not {count}",
        "{unit} recua um hexágono, não {count}",
    ),
    "free-hex": (
        "{unit} retreats one hex only: {hexes_free} is free",
        "{unit} recua um só hexágono: {hexes_free} está livre",
    ),
    "enemy-hex": (
        "{unit} may not retreat into {hex}, held by the enemy",
        "{unit} não pode recuar para {hex}, ocupado pelo inimigo",
    ),
    "enemy-zone": (
        "{unit} may not end its retreat in {hex}, an enemy zone of engagement",
        "{unit} não pode terminar o recuo em {hex}, Zona de Engajamento inimiga",
    ),
    "barred": ("{unit} may not enter {hex} ({what})", "{unit} não pode entrar em {hex} ({what})"),
    "retreat-only": ("{unit} may enter {hex} only in retreat", "{unit} só pode entrar em {hex} ao recuar"),
    "overstacked": (
        "{count} units stand in {hex} after the retreat, {limit} may, and none is displaced",
        "{count} unidades ficam em {hex} após o recuo, {limit} podem, e nenhuma é deslocada",
    ),
    "chain-length": (
        "a displaced unit moves one hex",
        "uma unidade deslocada move-se um hexágono",
    ),
    "chain-hex": (
        "{unit} may not be displaced into {hex}: {why}",
        "{unit} não pode ser deslocada para {hex}: {why}",
    ),
    "edge": ("{hex} is no hex of the {edge} edge", "{hex} não é hexágono da borda {edge}"),
    "retreat-loss-missing": (
        "{unit} has a loss for its retreat that is not taken",
        "{unit} sofre pelo recuo uma baixa que não foi tirada",
    ),
    "retreat-death-missing": (
        "{unit} is destroyed by its retreat, but is not eliminated",
        "{unit} é destruída pelo recuo, mas não foi eliminada",
    ),
    "dies-at-once": (
        "{unit} was encircled and had a loss: it is eliminated unless it retreats through friends",
        "{unit} estava cercada e sofreu baixa: é eliminada, salvo se recuar por hexágono com amigos",
    ),
    # ------------------------------------------------------------------ advances
    "no-victory": (
        "{result} lets nobody advance",
        "{result} não permite avançar",
    ),
    "no-advance": (
        "{unit} did not attack next to the enemy and may not advance",
        "{unit} não atacou engajada e não pode avançar",
    ),
    "retreated": ("{unit} retreated and may not advance", "{unit} recuou e não pode avançar"),
    "never-advances": ("{unit} ({type}) does not advance", "{unit} ({type}) não avança"),
    "not-vacated": (
        "the advance begins with {hex}, the hex that was attacked",
        "o avanço começa por {hex}, o hexágono atacado",
    ),
    "still-held": ("{hex} is still held by the enemy", "{hex} ainda está ocupado pelo inimigo"),
    "advance-length": (
        "{unit} ({type}) advances {count} hex(es) at most",
        "{unit} ({type}) avança no máximo {count} hexágono(s)",
    ),
    "advanced-before": ("{unit} has advanced before", "{unit} já avançou"),
    "first-terrain": (
        "the second hex is barred: {hex} is {what}",
        "o segundo hexágono está vedado: {hex} é {what}",
    ),
    "second-terrain": (
        "{unit} may not advance into a second hex of {what} ({hex})",
        "{unit} não pode avançar a um segundo hexágono de {what} ({hex})",
    ),
    "no-way": (
        "the advance into a second hex follows a road all along; none leads from {a} to {b}",
        "o avanço ao segundo hexágono segue estrada em todo o trajeto; não há de {a} para {b}",
    ),
    "line-between": (
        "{what} between {a} and {b} bars the second hex",
        "{what} entre {a} e {b} impede o segundo hexágono",
    ),
    "zone-stop": (
        "{unit} must stop in {hex}, an enemy zone of engagement",
        "{unit} tem que parar em {hex}, Zona de Engajamento inimiga",
    ),
    "bad-crossing": (
        "{unit} may not cross {what} from {a} to {b}",
        "{unit} não pode atravessar {what} de {a} para {b}",
    ),
    "stacking": (
        "{count} units end in {hex}; at most {limit} may",
        "{count} unidades terminam em {hex}; no máximo {limit} podem",
    ),
}

CAUSES: Final[Mapping[str, tuple[str, str]]] = {
    "terrain": ("terrain", "terreno"),
    "encirclement": ("encirclement", "cerco"),
    "airborne": ("encircled airborne troops", "aeroterrestres cercados"),
    "unity": ("unity of command", "unidade de comando"),
    "surprise": ("surprise", "surpresa"),
    "transit": ("units in transit", "unidades em trânsito"),
}
"""How the causes of shifts are called in messages; lines on hexsides have their names from the scenario."""
