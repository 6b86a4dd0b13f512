"""Mistakes of a settings file: the text, the key of the message, and a word of its sentence.

Each is the good example with one thing changed. FORM: what ends the reading; COMPARED: what shows when places are
compared; MAPS: what stands in the map of a module (old, new, key below the map, a word).
"""

import re

from support.node.node_settings_cases import GOOD, changed

TABLE = '[[table]]\nname = "DP-01"'
ELECTRONIC = 'kind = "electronic"'
SIGN = '[[sign]]\nkind = "alpha"\nline = "letrero"'
CONSOLE = '[[table.unit]]\nkind = "console"\nline = "draw"\nnumber = 20\n'
PANEL = '[[sign]]\nkind = "digits"\nline = "draw"\nnumber = {number}\nwidth = {width}\n'
ONE_LINE = '[[line]]\nname = "{name}"\nkind = "rtu"\nurl = "{url}"\n\n'
FIRST_LINE = '[[line]]\nname = "draw"'

PRINTS = ["-".join([digit * 4] * 8) for digit in "0123"]
BELOW = f'[[neighbour]]\nname = "caja-1"\nside = "below"\ninside = true\nfingerprint = "{PRINTS[0]}"\n'
ABOVE = (
    f'[[neighbour]]\nname = "hub"\nside = "above"\naddress = "tcp://hub.example:7071"\nfingerprint = "{PRINTS[1]}"\n'
)
LISTEN = '[link]\nlisten = "tcp://0.0.0.0:7071"\n'
LINKED = GOOD + LISTEN + BELOW + ABOVE


def linked(old: str, new: str) -> str:
    """With neighbours on both sides, and one thing of them changed."""
    assert old in LISTEN + BELOW + ABOVE, f"{old!r} is not there"
    return GOOD + (LISTEN + BELOW + ABOVE).replace(old, new, 1)


FORM = [
    (GOOD + "[[", "TOML", "no se puede leer"),
    (GOOD.replace('name = "central"\n', "", 1), "name", "falta"),
    (changed('name = "central"', "name = 7"), "name", "un texto"),
    (changed('name = "central"', 'name = "sala central"'), "name", "no sirve de nombre"),
    (changed('name = "central"', 'name = "central"\nnombre = "x"'), "nombre", "clave desconocida"),
    (changed("control =", "contrl ="), "control", "falta"),
    (changed('folder = "/var/lib/pozo/central"\n', ""), "folder", "falta"),
    (changed("port = 9471", "port = 80"), "metrics.port", "1024 a 65535"),
    (changed("port = 9471", "port = 70000"), "metrics.port", "1024 a 65535"),
    (changed("port = 9471", 'port = "9471"'), "metrics.port", "número entero"),
    (changed("port = 9471", "puerto = 9471"), "metrics.port", "falta"),
    (changed("port = 9471", "port = 9471\nhost = 1"), "metrics.host", "clave desconocida"),
    (changed("silent_ms = 5000", "silent_ms = 10"), "patience.silent_ms", "1000 a 60000"),
    (changed("lamp_ms = 3000", "lamp_ms = 90000"), "patience.lamp_ms", "500 a 30000"),
    (changed("lamp_ms = 3000", "lamps_ms = 3000"), "patience.lamps_ms", "¿será lamp_ms?"),
    (changed("[patience]", "[patience]\n[seeds]"), "seeds.copy", "falta"),
    (changed("[patience]", "[patience]\n[terminals]"), "terminals.user", "falta"),
    (GOOD + '[webs]\nlisten = "tcp://central:7072"\n', "webs.listen", "7072"),
    (GOOD + "[webs]\n", "webs.listen", "falta"),
    (changed('[[plan]]\nfile = "../plans/pozo-estelar.toml"\n', ""), "plan", "al menos un [[plan]]"),
    (changed('file = "../plans/pozo-estelar.toml"', ""), "plan[0].file", "falta"),
    (changed('kind = "rtu"', 'kind = "rs485"'), "line[0].kind", "rtu, tcp, cctalk, alpha, text"),
    (changed('url = "/dev/serial', '# url = "/dev/serial'), "line[0].url", "falta"),
    (re.sub(r'url = "/dev/\S+', 'url = "/dev/ttyUSB0"', GOOD, count=1), "line[0].url", "by-id"),
    (re.sub(r'url = "/dev/\S+', 'url = "/dev/ttyACM3"', GOOD, count=1), "line[0].url", "by-id"),
    (re.sub(r'url = "/dev/\S+', 'url = "COM3"', GOOD, count=1), "line[0].url", "ruta desde la raíz"),
    (re.sub(r'url = "/dev/\S+', 'url = "socket://10.0.0.1"', GOOD, count=1), "line[0].url", "socket://equipo:puerto"),
    (changed("socket://192.168.10.21:502", "/dev/serial/by-id/x"), "line[3].url", "socket://equipo:puerto"),
    (changed("socket://192.168.10.21:502", "socket://192.168.10.21:http"), "line[3].url", "equipo:puerto"),
    (changed('kind = "tcp"', 'kind = "tcp"\nbaud = 9600'), "line[3].baud", "clave desconocida"),
    (changed("baud = 115200", "baud = 50"), "line[0].baud", "1200 a 921600"),
    (changed("baud = 115200", "baud = 115201"), "line[0].baud", "múltiplo de 100"),
    (changed('parity = "E"', 'parity = "par"'), "line[0].parity", "N, E, O"),
    (changed("stop = 1", "stop = 3"), "line[0].stop", "uno de 1, 2"),
    (changed("bits = 7", "bits = 9"), "line[4].bits", "uno de 7, 8"),
    (changed("rs485 = false", "rs485 = 0"), "line[0].rs485", "true o false"),
    (changed("answer_ms = 20", "answer_ms = 0"), "line[0].answer_ms", "1 a 1000"),
    (changed("latency_ms = 2", "latency_ms = -1"), "line[0].latency_ms", "0 a 500"),
    (changed('name = "draw"', 'name = "línea 1"'), "line[0].name", "no sirve de nombre"),
    (changed('console = "none"', "console = false"), "table[2].console", "un texto"),
    (changed('console = "none"', 'console = "no"'), "table[2].console", "solo puede ser"),
    (changed(ELECTRONIC, 'kind = "electronico"'), "table[0].unit[0].kind", "electronic"),
    (changed('line = "draw"\nnumber = 1\n', 'line = "draw"\n'), "table[0].unit[0].number", "falta"),
    (changed("number = 20", "number = 0"), "table[0].unit[1].number", "1 a 247"),
    (changed("number = 20", "number = 248"), "table[0].unit[1].number", "1 a 247"),
    (changed("number = 1\nseat = 1\ncount = 6", "number = 245\nseat = 1\ncount = 6"), "table[0].unit[0].count", "caben 3"),
    (changed("number = 11", "number = 1"), "table[1].unit[0].number", "2 a 247"),
    (changed("number = 11", "number = 0"), "table[1].unit[0].number", "2 a 247"),
    (changed("count = 6", "count = 0"), "table[0].unit[0].count", "1 a 32"),
    (changed("buttons = [1, 2, 5]", "buttons = [1, 1]"), "table[0].unit[0].buttons", "distintos"),
    (changed("buttons = [1, 2, 5]", "buttons = [1, 2, 3, 4, 5]"), "table[0].unit[0].buttons", "1 a 4"),
    (changed("buttons = [1, 2, 5]", "buttons = []"), "table[0].unit[0].buttons", "1 a 4"),
    (changed("buttons = [1, 2, 5]", "buttons = [1.5]"), "table[0].unit[0].buttons", "números enteros"),
    (changed("count = 6", "count = 6\nhost_timeout_ms = 200"), "table[0].unit[0].host_timeout_ms", "300 a 5000"),
    (changed("count = 6", "count = 6\nhost_timeout_ms = 6000"), "table[0].unit[0].host_timeout_ms", "300 a 5000"),
    (changed("count = 6", "count = 6\nhost_timeout_ms = 900\nbeat_ms = 400"), "table[0].unit[0].beat_ms", "a lo más 300"),
    (changed("hold_s = 30", "hold_s = -1"), "table[0].unit[0].hold_s", "0 a 600"),
    (changed("lamp_min_ma = 10", "lamp_min_ma = 31"), "table[0].unit[0].lamp_min_ma", "lamp_max_ma"),
    (changed('lamps_seen_by = "sensor"', 'lamps_seen_by = "nadie"'), "table[0].unit[0].lamps_seen_by", "croupier"),
    (changed('lamps_seen_by = "croupier"', 'lamps_seen_by = "sensor"'), "table[1].unit[0].lamps_seen_by", "ccTalk"),
    (changed('lamps_seen_by = "sensor"', 'lamps_seen_by = "croupier"'), "table[0].unit[0].lamps_seen_by", "mide si su"),
    (changed('checksum = "sum"', 'checksum = "xor"'), "table[1].unit[0].checksum", "sum, crc"),
    (changed("poll_ms = 200", "poll_ms = 500"), "table[1].unit[0].poll_ms", "20 a 330"),
    (GOOD.replace("[[table.unit.channel]]\nnumber = 1\ncredits = 1\n", "").replace("[[table.unit.channel]]\nnumber = 2\ncredits = 5\n", ""), "table[1].unit[0].channel", "al menos un"),
    (changed("number = 2\ncredits = 5", "number = 1\ncredits = 5"), "table[1].unit[0].channel[1].number", "dos veces"),
    (changed("number = 2\ncredits = 5", "number = 17\ncredits = 5"), "table[1].unit[0].channel[1].number", "1 a 16"),
    (changed("number = 2\ncredits = 5", "number = 2"), "table[1].unit[0].channel[1].credits", "falta"),
    (changed("number = 2\ncredits = 5", 'number = 2\ncredits = 5\ncoin = "CLP-500"'), "table[1].unit[0].channel[1].coin", "6 letras"),
    (changed("seats = 6", "seats = 12"), "table[2].unit[0].seats", "1 a 9"),
    (changed("seats = 6\n", ""), "table[2].unit[0].seats", "falta"),
    (changed(CONSOLE, CONSOLE + "seat = 3\n"), "table[0].unit[1].seat", "clave desconocida"),
    (changed('kind = "alpha"\nline', 'kind = "led"\nline'), "sign[0].kind", "alpha, digits, text_panel, text"),
    (changed("{amount} +{increment}", "{monto}"), "sign[0].layout", "{amount}"),
    (changed("{amount} +{increment}", "POZO"), "sign[0].layout", "{amount}"),
    (changed('type = "Z"', 'type = "ZZ"'), "sign[0].type", "una letra"),
    (changed('address = "00"', 'address = "G1"'), "sign[0].address", "hexadecimales"),
    (changed("string_size = 32", "string_size = 200"), "sign[0].string_size", "8 a 125"),
    (changed("width = 0", "greatest = 0"), "sign[0].greatest", "1 a"),
]  # fmt: skip

FORM += [
    (linked("listen = ", "escucha = "), "link.listen", "falta"),
    (linked("[link]\n", "[link]\nport = 1\n"), "link.port", "clave desconocida"),
    *(
        (linked("tcp://0.0.0.0:7071", wrong), "link.listen", "una dirección de esta máquina")
        for wrong in (
            "0.0.0.0:7071",
            "tcp://0.0.0.0",
            "tcp://0.0.0.0:80",
            "tcp://0.0.0.0:70000",
            "tcp://central:7071",
            "tcp://*:7071",
            "tcp://0.0.0.0:\u0667071",
            "tcp://::7071x",
            "ipc:///run/x:7071",
            "tcp://:7071",
        )
    ),
    (linked('name = "caja-1"', 'name = "caja 1"'), "neighbour[0].name", "no sirve de nombre"),
    (linked('name = "caja-1"\n', ""), "neighbour[0].name", "falta"),
    (linked('side = "below"', 'side = "abajo"'), "neighbour[0].side", "above, below"),
    (linked("inside = true", "inside = 1"), "neighbour[0].inside", "true o false"),
    (linked('side = "below"', 'side = "below"\naddress = "tcp://10.0.0.2:7071"'), "neighbour[0].address", "llega"),
    (linked('address = "tcp://hub.example:7071"\n', ""), "neighbour[1].address", "dónde escucha"),
    (linked("tcp://hub.example:7071", "tcp://-hub:7071"), "neighbour[1].address", "dónde escucha"),
    (linked("tcp://hub.example:7071", "tcp://" + "h" * 254 + ":7071"), "neighbour[1].address", "dónde escucha"),
    (linked("tcp://hub.example:7071", "tcp://hub.example"), "neighbour[1].address", "dónde escucha"),
    (linked(f'fingerprint = "{PRINTS[0]}"\n', ""), "neighbour[0].fingerprint", "falta"),
    (linked(PRINTS[0], PRINTS[0][1:]), "neighbour[0].fingerprint", "ocho grupos"),
    (linked(PRINTS[0], "g" + PRINTS[0][1:]), "neighbour[0].fingerprint", "ocho grupos"),
    (linked("inside = true", "inside = true\nkey = 1"), "neighbour[0].key", "clave desconocida"),
]
COMPARED = [
    (GOOD + '[webs]\nlisten = "tcp://0.0.0.0:9471"\n', "webs.listen", "metrics"),
    (LINKED + '[webs]\nlisten = "tcp://0.0.0.0:7071"\n', "webs.listen", "link"),
    (linked(LISTEN, ""), "neighbour[0].side", "falta [link]"),
    (GOOD + LISTEN + ABOVE, "link.listen", "nadie tiene por qué llegar"),
    (linked(":7071", ":9471"), "link.listen", "ya es el de metrics"),
    (linked("caja-1", "Centra1"), "neighbour[0].name", "se lee como central"),
    (linked('"hub"', '"CAJA_1"'), "neighbour[1].name", "se lee como caja-1"),
    (linked('"hub"', '"caja-1"'), "neighbour[1].name", "se lee como caja-1"),
    (linked(PRINTS[1], PRINTS[0]), "neighbour[1].fingerprint", "es también de caja-1"),
    (LINKED + ABOVE.replace("hub", "otro", 1).replace(PRINTS[1], PRINTS[2]), "neighbour[2].address", "es también de hub"),
    (changed("/var/lib/pozo/central", "/run/pozo/libro"), "folder", "se pierde al apagar"),
    (changed("/var/lib/pozo/central", "/proc/1"), "folder", "se pierde al apagar"),
    (changed("/var/lib/pozo/central", "/etc/hostname"), "folder", "es un archivo"),
    (changed("/run/pozo/central", "/var/lib/pozo/central"), "control", "la misma carpeta"),
    (changed("/run/pozo/central", "/run/" + "largo" * 30), "control", "demasiado largo"),
    (changed("[patience]", '[seeds]\ncopy = "/var/lib/pozo/central"\n[patience]'), "seeds.copy", "otro disco"),
    (changed("[patience]", '[seeds]\ncopy = "/var/lib/pozo/central/copia"\n[patience]'), "seeds.copy", "otro disco"),
    (changed("[patience]", '[heads]\nplaces = ["/var/lib/pozo/central/x"]\n[patience]'), "heads.places", "otro disco"),
    (changed("[patience]", '[heads]\nplaces = ["/etc/hostname"]\n[patience]'), "heads.places", "va una carpeta"),
    (changed("[patience]", '[heads]\nplaces = ["/mnt/x", "/mnt/./x"]\n[patience]'), "heads.places", "dos veces"),
    (changed("[patience]", '[seeds]\ncopy = "/run/pozo/central"\n[patience]'), "seeds.copy", "donde escriben otros"),
    (changed("[patience]", '[seeds]\ncopy = "/run/pozo/central/copia"\n[patience]'), "seeds.copy", "donde escriben otros"),
    (changed("[patience]", '[terminals]\nuser = "nadie-aqui"\n[patience]'), "terminals.user", "no tiene un usuario"),
    (changed("[patience]", '[seeds]\ncopy = "/proc/self"\n[patience]'), "seeds.copy", "no es un disco"),
    (changed("[patience]", '[seeds]\ncopy = "/dev/shm/pozo"\n[patience]'), "seeds.copy", "no es un disco"),
    (changed("[patience]", '[seeds]\ncopy = "/tmp"\n[patience]'), "seeds.copy", "otros usuarios pueden escribir en /tmp"),
    (changed("pozo-estelar.toml", "pozo-lunar.toml"), "plan[0].file", "no existe el plan"),
    (changed('name = "central"', 'name = "central"\nrulesets = "nada"'), "rulesets", "no existe la carpeta"),
    (changed('[[plan]]\nfile = "../plans/pozo-estelar.toml"\n', '[[plan]]\nfile = "../plans/pozo-estelar.toml"\n' * 2), "plan[1].file", "ya tiene otro plan"),
    (changed('name = "crupier"', 'name = "draw"'), "line[2].name", "ya se llama draw"),
    (changed("A50285CJ", "A50285BI"), "line[1].url", "un solo dueño"),
    (changed(FIRST_LINE, ONE_LINE.format(name="sobra", url="/dev/ttyS0") + FIRST_LINE), "line[0].name", "nada cuelga"),
    (changed('line = "draw"\nnumber = 20', 'line = "drow"\nnumber = 20'), "table[0].unit[1].line", "no existe la línea"),
    (changed('line = "draw"\nnumber = 20', 'line = "ranuras"\nnumber = 20'), "table[0].unit[1].line", "rtu o tcp"),
    (changed('line = "ranuras"\nnumber = 11', 'line = "draw"\nnumber = 30'), "table[1].unit[0].line", "cctalk"),
    (changed("number = 20", "number = 3"), "table[0].unit[1].number", "ya está tomado"),
    (changed('line = "letrero"', 'line = "crupier"'), "sign[0].line", "en una línea alpha"),
    (GOOD + SIGN, "sign[1].line", "solo en su línea"),
    (GOOD + '[[sign]]\nkind = "text"\nline = "letrero"', "sign[1].line", "en una línea text"),
    (GOOD + PANEL.format(number=20, width=9), "sign[1].number", "ya está tomado"),
    (GOOD + PANEL.format(number=30, width=8), "sign[1].width", "400000000"),
    (changed("width = 0", "width = 10"), "sign[0].width", "400000000"),
    (changed("width = 0\nstring_size = 32", "string_size = 8"), "sign[0].string_size", "400000000"),
    (changed('pot = "pozo-estelar"', 'pot = "pozo-lunar"'), "sign[0].pot", "no existe el pozo"),
    (changed('pot = "pozo-estelar"', 'table = "DP-02"'), "sign[0].table", "no existe aquí la mesa"),
    (re.sub(r"\[\[sign\]\].*", "", GOOD, flags=re.DOTALL).replace('[[line]]\nname = "letrero"', '[[line]]\nname = "texto"'), "plan[0].signless", "no tiene letrero"),
    (changed("[[plan]]", "[[plan]]\nsignless = true"), "plan[0].signless", "sobra uno"),
    (changed('[[table]]\nname = "TX-01"', '[[table]]\nname = "TX-09"'), "table[2].name", "ningún plan nombra"),
    (changed('[[table]]\nname = "TX-01"', '[[table]]\nname = "DP-01"'), "table[2].name", "dos veces"),
    (changed("count = 6", "count = 5"), "table[0].unit", "falta aparato en: 6"),
    (changed("count = 6", "count = 7"), "table[0].unit[0].seat", "no hay un puesto 7"),
    (changed("seats = 6", "seats = 5"), "table[2].unit", "falta aparato en: 6"),
    (changed("seat = 1\nseats = 6", "seat = 2\nseats = 6"), "table[2].unit[0].seat", "no hay un puesto 7"),
    (changed(CONSOLE, CONSOLE + '[[table.unit]]\nkind = "chip_slot"\nline = "draw"\nnumber = 9\nseat = 6\n'), "table[0].unit[2].seat", "ya tiene otro aparato"),
    (changed(CONSOLE, ""), "table[0].unit", "no tiene botones de crupier"),
    (changed(TABLE, TABLE + '\nconsole = "none"'), "table[0].console", "sobra uno"),
    (changed(CONSOLE, CONSOLE + CONSOLE.replace("20", "22")), "table[0].unit[2].kind", "un solo crupier"),
    (changed("buttons = [1, 2, 5]", "buttons = [1, 10]"), "table[0].unit[0].buttons", "de 1 a 5 créditos"),
    (changed("seats = 6", "seats = 6\nchip_credits = 1"), "table[2].unit[0].chip_credits", "es una unidad chip_slot"),
    (changed("seats = 6", "seats = 6\ngate_ms = 300"), "table[2].unit[0].gate_ms", "es una unidad chip_slot"),
    (changed('kind = "electronic"', 'kind = "chip_slot"\nchip_credits = 6').replace("buttons = [1, 2, 5]\n", "", 1), "table[0].unit[0].chip_credits", "a lo más 5 créditos"),
    (changed("number = 2\ncredits = 5", "number = 2\ncredits = 10"), "table[1].unit[0].channel", "canal 2"),
    (changed("count = 6", "count = 6\nbeat_ms = 300\nhost_timeout_ms = 1500"), "line[0].baud", "3 latidos"),
    (changed("baud = 115200", "baud = 2400"), "line[0].baud", "más baud"),
    (changed("count = 7", "count = 12"), "line[1].name", "a lo más 7"),
]  # fmt: skip


MAPS = [
    ("serial = 4870001\n", "", "serial", "falta"),
    ("lamp = 0\n", "", "seat[0].lamp", "falta"),
    ("feedback = 0\n", "", "seat[0].feedback", "prueba la lámpara"),
    ("bits = 32", "bits = 8", "bits", "16, 32"),
    ('words = "high_first"', 'words = "big"', "words", "low_first"),
    ("button = [{ counter = 0, credits = 1 }, { counter = 2, credits = 5 }]", "button = []", "seat[0].button", "1 a 4"),
    ("{ counter = 0, credits = 1 }", "{ input = 0, credits = 1 }", "seat[0].button[0].input", "necesita un contador"),
    ("counter = 16", "counter = 16\ninput = 3", "console.lock.counter", "solo uno de los dos"),
    ("counter = 18", "input = 18", "console.unlock.input", "necesita un contador"),
    ("counter = 18", "counter = 16", "", "se contradice"),
    ("feedback = 1", "feedback = 0", "", "se contradice"),
    ("credits = 5 }]", "credits = 6 }]", "", "no serviría nunca"),
    ("product", "producto", "producto", "¿será product?"),
]
