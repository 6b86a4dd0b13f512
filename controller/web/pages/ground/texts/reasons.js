/**
 * What the pages say in English of the node's fixed phrases: why a seat is closed, what is the matter with a device, why not.
 *
 * They stand on record as they are, without a name, so the Spanish phrase is the key. Of a device that is down the node says
 * which kind it is and then what helps; each half is here. `tests/web/test_words.py` holds the list complete. What a
 * person typed is not here, and stays as it was typed.
 */

/** Why a seat is closed, and what else the floor says. @type {Record<string, string>} */
export const REASONS = {
  "sin aceptor en la configuración": "no acceptor in the settings",
  "los créditos del aceptor no cuadran: cámbielo, o bórrele la memoria": "the acceptor's credits do not add up: change it, or clear its memory",
  "el aceptor usa otro plan": "the acceptor uses another plan",
  "no prueba que está bloqueado": "it does not prove that it is locked",
  "la mesa está cerrando el pase; espere a que cierre": "the table is closing the pass; wait until it is closed",
  "no hay jornada abierta": "no gaming day is open",
  "ningún plan nombra esta mesa": "no plan names this table",
  "la prueba de luces se hace entre pases": "lamps are tested between passes",
  "ningún aceptor de la mesa responde": "no acceptor of the table answers",
  "la mesa no tiene un aceptor en esa posición": "the table has no acceptor at that seat",
  "el aceptor de esa posición no responde: revise su alimentación y su cable": "the acceptor of that seat does not answer: check its power and its cable",
  "la luz de una posición cerrada se mide entre pases: repítalo cuando termine este (R-6)": "the lamp of a closed seat is measured between passes: ask again when this one is over (R-6)",
  "este módulo no guarda fallas: repare, haga la prueba de luces entre pases y abra la posición": "this module keeps no faults: mend it, test the lamps between passes and open the seat",
  "cayeron fichas antes de que el registro conociera el aceptor: cuéntelas y devuélvalas (R-4)": "chips fell before the record knew the acceptor: count them and hand them back (R-4)",
  "falta un sorteo del pase": "a draw of the pass is still to come",
  "volvió durante el pase; se abre con el botón de desbloqueo": "it came back during the pass; the unlock button opens it",
  "se bloqueó con una apuesta en pie: esa vale, y no toma otra hasta el próximo pase": "it locked itself with a bet that stands: that one counts, and it takes no other until the next pass",
  "lo que volvió tiene una apuesta en pie: esa vale, y no se abre hasta el próximo pase": "what came back has a bet that stands: that one counts, and it does not open until the next pass",
  "la mesa ya está abierta; una posición cerrada se abre con «abrir-posicion»": "the table is open already; a closed seat is opened by itself («abrir-posicion»)",
  "ningún aparato de la mesa se queja de sí mismo": "no device of the table complains of itself",
  "una copia de su memoria estaba mala": "one copy of its memory was bad",
  "perdió sus cuentas": "it lost its totals",
  "se colgó y se reinició": "it hung and started anew",
  "le faltó tensión": "its supply fell",
  "dejó de oír al nodo y se bloqueó": "it stopped hearing the node and locked itself",
  "no tiene una configuración con que jugar": "it has no settings to play with",
  "oye mal la línea": "it hears the line badly",
  "su reloj falla": "its clock fails",
  "su revisión falló": "its self-test failed",
  "aceptor que no ha respondido": "an acceptor that has not answered yet",
  "aceptor sin respuesta": "the acceptor does not answer",
  "línea del aceptor caída": "the acceptor's line is down",
  "aceptor reiniciado": "the acceptor started anew",
  "aceptor cambiado por otro": "the acceptor was changed for another",
  "el aceptor perdió su memoria": "the acceptor lost its memory",
  "el aceptor perdió lo que sabía": "the acceptor lost what it knew",
  "no es una unidad de este sistema": "it is no unit of this system",
  "versión de contrato no admitida": "a version of the contract that is not allowed",
  "versión de firmware no admitida": "a version of firmware that is not allowed", // in records of before
  "unidad de otra clase": "a unit of another class",
  "otro número de posiciones": "another number of seats",
  "unidad sin memoria permanente": "a unit without permanent memory",
  "la unidad rechaza su configuración": "the unit refuses its settings",
  "otro controlador maneja la unidad": "another controller drives the unit",
  "otro aparato tiene su número de serie": "another device has its serial number",
  "el aceptor perdió su cuenta": "the acceptor lost its count",
  "el aceptor pide claves": "the acceptor asks for keys",

  // What the core closes a seat for
  "luz": "its lamp",
  "unidad cambiada": "the unit was changed",
  "contabilidad del aceptor": "the acceptor's accounts",
  "el aceptor sabe más que el registro: cuente dos personas": "the acceptor knows more than the record: two persons count",
  "el aceptor contó sin que pasara nada: cuente dos personas": "the acceptor counted although nothing happened: two persons count",
  "el aceptor cuenta hacia atrás: cuente dos personas": "the acceptor counts backwards: two persons count",
  "apuestas en un aceptor sin botones: cuente dos personas": "bets on an acceptor without buttons: two persons count",
  "fichas en un aceptor sin ranura: cuente dos personas": "chips in an acceptor without a slot: two persons count",
  "el aceptor movió créditos que nadie ordenó: cuente dos personas": "the acceptor moved credits that nobody ordered: two persons count",
  "el aceptor dijo más de lo que pasó: cuente dos personas": "the acceptor said more than happened: two persons count",
  "el aceptor perdió lo que sabía: cuente dos personas": "the acceptor lost what it knew: two persons count",
  "el aceptor contó más de lo que puede: cuente dos personas": "the acceptor counted more than it can: two persons count",

  // Parts of alarms
  "años": "years",
  "días": "days",
  "horas": "hours",
  "minutos": "minutes",
  "segundos": "seconds",
  "falta parte de lo que dijo": "part of what it said is missing",
  "dijo dos cosas distintas en el mismo lugar": "it said two different things at the same place",
  "olvidó lo que ya había dicho": "it forgot what it had said",
  "fue restaurado en otro punto": "it was restored at another point",
  "dice lo que este programa no entiende": "it says what this program does not understand",
  "tiene lo que este registro no recuerda haber dicho": "it has what this record does not remember having said",
  "un defecto del programa": "a defect of the program",
  "no responde": "does not answer",
  "no acepta lo que se le escribe": "does not accept what is written to it",
  "no está; conecte el adaptador o corrija su nombre en la configuración": "it is not there; connect the adapter or correct its name in the settings",
  "lo usa otro programa; ciérrelo": "another program uses it; close that",
  "no hay permiso; agregue el usuario del nodo al grupo del puerto": "it is not permitted; add the node's user to the group of the port",
  "no es un puerto serial; corrija su nombre en la configuración": "it is no serial port; correct its name in the settings",
  "no acepta esos ajustes; corrija velocidad y paridad en la configuración": "it does not take these settings; correct speed and parity in the settings",
  "nadie contesta en esa dirección; revise el equipo y la red": "nobody answers at that address; check the equipment and the network",
  "la dirección está mal escrita; corríjala en la configuración": "the address is miswritten; correct it in the settings",
};

/** How the node begins to speak of a device. @type {Record<string, string>} */
export const DEVICES = {
  "la consola": "the console",
  "el contador de mesa": "the table's counter",
  "el módulo": "the module",
  "el aceptor": "the acceptor",
};

/** And how it goes on. @type {Record<string, string>} */
export const OF_DEVICES = {
  "usa otro plan que el vigente y queda bloqueado: revise el plan de la configuración y reinicie el nodo (R-26)": "uses another plan than the one in force and stays locked: check the plan in the settings and restart the node (R-26)",
  "no responde: revise su alimentación y su cable": "does not answer: check its power and its cable",
  "perdió su línea: revise el cable y el adaptador": "lost its line: check the cable and the adapter",
  "se reinició: espere a que vuelva": "started anew: wait until it is back",
  "se cambió por otro aparato: cuente la posición y ábrala": "was changed for another device: count the seat and open it",
  "perdió su memoria: cuente la posición y ábrala": "lost its memory: count the seat and open it",
  "perdió lo que sabía: cuenten dos personas todas sus posiciones y ábranlas": "lost what it knew: two persons count all its seats and open them",
  "no es de este sistema: revise qué aparato está conectado": "is not of this system: check which device is connected",
  "habla una versión de contrato no admitida: actualice su firmware": "speaks a version of the contract that is not allowed: update its firmware",
  "es de otra clase: revise el aparato y la configuración": "is of another class: check the device and the settings",
  "tiene otro número de posiciones: revise la configuración": "has another number of seats: check the settings",
  "no tiene memoria permanente: hay que cambiar el aparato": "has no permanent memory: the device has to be changed",
  "rechaza su configuración: corrija sus valores": "refuses its settings: correct their values",
  "obedece a otro controlador: desconecte el otro": "obeys another controller: disconnect the other one",
  "dice el número de serie de otro: cambie uno de los dos; después, desconecte y conecte este": "says the serial number of another: change one of the two; then disconnect this one and connect it again",
  "perdió su cuenta: cuente la posición y ábrala": "lost its count: count the seat and open it",
  "pide claves: use uno que no las pida": "asks for keys: use one that does not",
};
