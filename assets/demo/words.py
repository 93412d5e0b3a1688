"""Values that people tell about themselves: names, numbers, places, things."""

from __future__ import annotations

import hashlib
from random import Random

FIRST_NAMES = (
    "Aaron Abby Abel Ada Adam Adele Adrian Agnes Aida Aiko Alan Albert Alda Alex Alfie Alice Alina "
    "Alma Alvin Amara Amber Amelia Amir Amos Amy Ana Anders Andrea Angela Anika Anna Anton Anya "
    "Aria Ariel Arjun Arlo Arthur Asha Asher Astrid Aurora Ava Axel Ayla Barbara Basil Beatriz "
    "Bella Ben Bianca Bilal Bjorn Bo Boris Brenda Brian Bruno Caleb Camila Carl Carla Carmen "
    "Cecil Celia Chen Chloe Clara Claude Cleo Colin Cora Cyrus Daisy Dalia Damian Dana Daniel "
    "Daphne Dario David Dawn Deepak Delia Dennis Diana Diego Dina Dmitri Dora Doris Dylan Eddie "
    "Edgar Edith Eero Efua Eileen Elena Eli Elias Elif Elisa Ella Ellen Elsa Emil Emily Emma Enzo "
    "Erik Esme Esther Ethan Eva Evan Ewa Fabio Farah Fatima Felix Fiona Flora Frank Freya Frida "
    "Gabriel Gemma George Gina Giulia Gloria Grace Greta Gus Hana Hannah Harry Hassan Hazel "
    "Heidi Helen Henry Hilda Hiro Hugo Ian Ibrahim Ida Igor Ilse Imani Ines Ingrid Iris Isaac "
    "Isabel Ivan Ivy Jack Jacob Jade Jamal James Jana Jane Jasper Javier Jean Jenna Jin Joan Joel "
    "Johan John Jonas Jordan Jorge Josef Joy Juan Judith Julia Jun June Kai Kamal Kara Karen Karl "
    "Kate Keiko Kemal Kenji Kevin Kim Kira Klara Kofi Kurt Kwame Lana Lara Lars Laura Layla Lea "
    "Leah Leif Lena Leo Leon Liam Lila Lily Lina Linda Lisa Liv Logan Lola Lorenzo Louis Lucas "
    "Lucia Lucy Luis Luna Lydia Maeve Magnus Maja Malik Mara Marco Margot Maria Mario Marta Martin "
    "Mary Mateo Matilda Maya Megan Mei Mia Michael Mika Mila Milan Mina Mira Mohamed Molly Mona "
    "Nadia Naomi Natalie Nathan Neil Nell Nia Nico Nikolai Nils Nina Noah Noor Nora Odette Olga "
    "Olive Oliver Omar Oscar Otto Pablo Paula Pavel Pearl Pedro Penny Peter Petra Phoebe Pia "
    "Priya Quentin Quinn Rachel Rafael Rahul Ralph Rania Raul Ravi Rebecca Remy Rene Rhea Rico "
    "Rita Robert Robin Rosa Rosie Ruben Ruby Rufus Ruth Ryan Sabine Sadie Saeed Sakura Salma Sam "
    "Samira Sana Sara Sasha Saul Sean Selma Seth Shira Sid Sigrid Silas Simon Sofia Sol Sonia "
    "Stefan Stella Sunita Susan Sven Sylvia Tara Tariq Tess Theo Thomas Tilda Tim Tina Toby Tom "
    "Tomas Tove Uma Una Ursula Vera Victor Viola Vivian Wanda Wei Wendy Willa William Xavier Xin "
    "Yara Yasmin Yuki Yusuf Zadie Zara Zeno Zoe Zora"
).split()

PET_NAMES = (
    "Biscuit Bandit Bubbles Buddy Button Caramel Charlie Clover Coco Comet Cookie Daisy Domino "
    "Felix Fudge Ginger Gizmo Hazel Honey Jasper Kiwi Lucky Maple Marble Milo Miso Mocha Mochi "
    "Momo Nacho Nugget Oreo Patch Peanut Pepper Pickle Pixel Poppy Pumpkin Rex Rocket Rusty "
    "Scout Shadow Simba Smokey Snowy Socks Sparky Spot Teddy Tofu Toto Truffle Waffles Ziggy"
).split()

CITIES = (
    "Accra|Amsterdam|Athens|Auckland|Barcelona|Basel|Beirut|Bergen|Berlin|Bilbao|Bogota|Boston|"
    "Bristol|Brussels|Budapest|Cairo|Cape Town|Cardiff|Chicago|Copenhagen|Cork|Dakar|Delhi|Denver|"
    "Dresden|Dublin|Edinburgh|Fez|Florence|Geneva|Genoa|Ghent|Glasgow|Graz|Hamburg|Hanoi|Havana|"
    "Helsinki|Hong Kong|Istanbul|Jakarta|Kigali|Krakow|Kyoto|Lagos|Leeds|Leipzig|Lima|Lisbon|"
    "Ljubljana|London|Lyon|Madrid|Malaga|Manila|Melbourne|Mexico City|Milan|Montreal|Mumbai|Munich|"
    "Nairobi|Naples|New York|Nice|Osaka|Oslo|Ottawa|Palermo|Paris|Perth|Porto|Prague|Quito|Reykjavik|"
    "Riga|Rome|Rotterdam|Santiago|Seattle|Seoul|Seville|Sofia|Stockholm|Sydney|Taipei|Tallinn|Tampere|"
    "Tokyo|Toronto|Toulouse|Tromso|Tunis|Turin|Utrecht|Valencia|Vancouver|Vienna|Vilnius|Warsaw|York|"
    "Zagreb|Zurich"
).split("|")

COLOURS = (
    "red blue green yellow orange purple pink black white grey brown teal turquoise violet indigo "
    "crimson maroon navy olive gold silver beige coral lavender mint scarlet amber magenta cyan"
).split()

FOODS = (
    "pizza|pasta|sushi|ramen|curry|tacos|paella|risotto|lasagne|dumplings|falafel|pancakes|noodles|"
    "fried rice|soup|salad|burritos|couscous|gnocchi|waffles|goulash|hummus|kimchi|lentils|omelette|"
    "pho|pierogi|quiche|ravioli|chocolate cake|apple pie|ice cream|cheese|bread|mushrooms|potatoes"
).split("|")

DRINKS = (
    "tea|green tea|coffee|espresso|lemonade|water|orange juice|apple juice|hot chocolate|cocoa|milk|"
    "iced tea|ginger beer|mint tea|cappuccino|kombucha|cider|tomato juice"
).split("|")

JOBS = (
    "nurse|teacher|baker|pilot|carpenter|doctor|farmer|gardener|librarian|plumber|painter|chef|"
    "translator|engineer|programmer|lawyer|musician|dentist|photographer|electrician|mechanic|"
    "journalist|biologist|designer|firefighter|florist|tailor|bus driver|sailor|cook|writer|vet|"
    "waiter|barber|chemist|judge|potter|miner|surveyor|postman"
).split("|")

HOBBIES = (
    "chess|painting|running|swimming|gardening|cycling|reading|hiking|knitting|photography|sailing|"
    "dancing|baking|climbing|fishing|drawing|singing|cooking|yoga|astronomy|pottery|skiing|surfing|"
    "origami|birdwatching|tennis|football|archery|juggling|camping"
).split("|")

ANIMALS = (
    "cat dog rabbit parrot hamster turtle goldfish lizard horse pony ferret canary snake mouse"
).split()

WILD_ANIMALS = (
    "otter|fox|owl|whale|dolphin|tiger|panda|penguin|elephant|wolf|badger|hedgehog|giraffe|koala|"
    "octopus|lynx|seal|eagle|heron|beaver"
).split("|")

INSTRUMENTS = "piano|violin|guitar|flute|cello|drums|trumpet|harp|banjo|clarinet|accordion".split("|")
SEASONS = "spring|summer|autumn|winter".split("|")
FRUITS = "apples|pears|mangoes|cherries|plums|bananas|grapes|figs|peaches|melons|kiwis|limes".split("|")
LANGUAGES = (
    "English|Spanish|French|German|Italian|Portuguese|Polish|Turkish|Arabic|Hindi|Japanese|Korean|"
    "Finnish|Swedish|Dutch|Greek|Swahili|Czech"
).split("|")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
WORDS = (
    "anchor apple arrow bamboo basket beacon bridge bucket button candle canyon castle cloud clover "
    "compass copper cotton dragon engine falcon feather flute forest garden glacier hammer harbour "
    "island jacket jungle kettle ladder lantern lemon magnet marble meadow mirror monkey needle "
    "orchid paper pebble pencil pepper planet pocket puzzle rabbit ribbon river rocket saddle shadow "
    "silver spiral sunset tiger tunnel turtle umbrella valley velvet violin walnut whistle window"
).split()

_ONSETS = (
    "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh st t th tr v w y z".split()
)
_VOWELS = "a e i o u ai ea ia io ou".split()
_ENDINGS = "n r l s th x k m d nd rt la na ra sa ta vi no ro ko".split()


def held_out(value: str) -> bool:
    """Whether a name or number belongs to the evaluation set; training never uses it."""
    return hashlib.sha256(value.lower().encode()).digest()[0] % 8 == 0


def invented_name(random: Random) -> str:
    """A made-up capitalised name of two or three syllables."""
    syllables = random.choice((1, 1, 2))
    text = "".join(random.choice(_ONSETS) + random.choice(_VOWELS) for _ in range(syllables))
    return (text + random.choice(_ONSETS) + random.choice("aeiou") + random.choice(_ENDINGS)).title()


def person_name(random: Random, unseen: bool = False) -> str:
    """A first name, a third of them invented; from the evaluation set where `unseen`."""
    while True:
        known = random.random() < 0.65
        name = random.choice(FIRST_NAMES) if known else invented_name(random)
        if held_out(name) == unseen:
            return name


def number(random: Random, low: int = 2, high: int = 6, unseen: bool = False) -> str:
    """A number of `low` to `high` digits; from the evaluation set where `unseen`."""
    while True:
        digits = random.randint(low, high)
        value = str(random.randrange(10 ** (digits - 1), 10**digits))
        if held_out(value) == unseen:
            return value
