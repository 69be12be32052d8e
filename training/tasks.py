"""Tasks of the synthetic dialogues: what a user asks for, the slots, how each is said, asked for and named in a form."""

from typing import NamedTuple


class Slot(NamedTuple):
    """`phrases` say the value in a request, `asks` request it, `fields` are its names in a form, `questions` ask for it afterwards."""

    pool: str
    phrases: tuple
    asks: tuple
    fields: tuple
    questions: tuple = ()


class Task(NamedTuple):
    """`wants` begin the request, `done` reports success, `slots` follow in any order."""

    wants: tuple
    done: tuple
    slots: tuple


CITY = Slot("place", (" in {}", " in {}", ", in {}"), ("In which city?", "Which city should I look in?", "And the city?"), ("City", "Town", "Place", "Location"), ("In which city is it?", "Which city is it in?"))
TIME = Slot("time", (" at {}", " for {}"), ("At what time?", "What time would you like?", "And the time?"), ("Time", "Hour"), ("At what time is it?", "What is the time?"))
DAY = Slot("day", (" on {}", " for {}", " this {}"), ("On which day?", "Which day suits you?"), ("Day", "Date"), ("On which day is it?", "Which day is it on?"))
DATE = Slot("date", (" on {}", " for {}"), ("On which date?", "What date do you have in mind?"), ("Date", "When"), ("On which date is it?", "What is the date?"))
PEOPLE = Slot("small", (" for {}", " for {} people"), ("For how many people?", "How many of you will there be?"), ("People", "Guests", "Party size"), ("For how many people is it?",))
SEATS = Slot("small", (" for {}", " for {} people"), ("How many people?", "How many seats?"), ("Seats", "People", "Passengers"), ("How many people will travel?",))
NIGHTS = Slot("digit", (" for {} nights",), ("For how many nights?", "How long will you stay?"), ("Nights", "Length of stay"), ("For how many nights is it?",))
FROM = Slot("place", (" from {}", ", leaving from {}"), ("Where do you leave from?", "From which city?"), ("From", "Origin", "Departure"), ("Where does it leave from?", "From which city is it?"))
TO = Slot("place", (" to {}", " going to {}"), ("Where do you want to go?", "What is your destination?"), ("To", "Destination", "Going to"), ("Where does it go?", "What is the destination?"))
NAME = Slot("person", (". My name is {}", ". The name is {}", " under the name {}", ". I am {}"), ("What is your name?", "May I have your name?", "Under which name?"), ("Name", "Customer", "Guest"), ("What is the name of the customer?", "Who is the customer?"))
PHONE = Slot("phone", (". My number is {}", ". You can reach me at {}"), ("What is your phone number?",), ("Phone", "Phone number"), ("What is the phone number?",))

TASKS = (
    Task(("a table", "a reservation", "to book a table", "dinner", "to eat"), ("Your table is booked.", "The reservation is made.", "I have reserved the table."),
         (Slot("restaurant", (" at {}", " at {}", " in the restaurant {}"), ("Which restaurant would you like?", "Where would you like to eat?"), ("Restaurant", "Restaurant", "Place"), ("Which restaurant is it?", "What is the name of the restaurant?")), CITY, TIME, PEOPLE, DAY, NAME)),
    Task(("a room", "a hotel room", "to book a room", "a place to stay"), ("Your room is reserved.", "The room is booked."),
         (Slot("hotel", (" at {}", " in {}"), ("Which hotel?", "Do you have a hotel in mind?"), ("Hotel", "Hotel name"), ("Which hotel is it?", "What is the name of the hotel?")), CITY, NIGHTS, DATE, PEOPLE, NAME)),
    Task(("a flight", "to book a flight", "a plane ticket", "to fly"), ("Your flight is booked.", "Your ticket is ready."), (FROM, TO, DAY, TIME, SEATS, NAME)),
    Task(("a bus ticket", "a bus", "to take the bus"), ("Your bus ticket is ready.", "The seats are booked."), (FROM, TO, DATE, TIME, SEATS)),
    Task(("a train ticket", "a train", "to go by train"), ("Your train ticket is ready.", "The ticket is booked."), (FROM, TO, DAY, TIME, SEATS, NAME)),
    Task(("a taxi", "a cab", "a ride"), ("Your taxi is on the way.", "The driver is coming."), (FROM, TO, TIME, SEATS, Slot("name", (", with {} Cars", " by {} Cars"), ("Which company?",), ("Company",), ()))),
    Task(("an appointment", "to see a doctor", "a visit to the doctor", "an appointment with the doctor"), ("Your appointment is made.", "You are on the list."),
         (Slot("surname", (" with Dr. {}", ". My doctor is Dr. {}", ", with Dr. {}"), ("Which doctor would you like to see?",), ("Doctor", "Doctor", "With"), ("Which doctor is it?", "Who is the doctor?")), DAY, TIME, NAME, CITY)),
    Task(("a haircut", "an appointment for a haircut", "to have my hair cut"), ("You are booked in.", "We will see you then."),
         (Slot("restaurant", (" at {}",), ("Which salon?",), ("Salon", "Shop"), ("Which salon is it?",)), CITY, DAY, TIME, NAME)),
    Task(("to hear the song", "you to play the song", "to listen to"), ("Playing it now.", "The song is playing.", "Here is your music."),
         (Slot("title", (" {}",), ("Which song?",), ("Song", "Title", "Track"), ("Which song is it?", "What is the name of the song?")), Slot("person", (" by {}", " by {}", ", the one by {}"), ("By whom?", "Who sings it?"), ("Artist", "Singer", "By"), ("Who sings the song?", "Who is the artist?")),
          Slot("spotnoun", (" by the {}", " near the {}", " at the {}"), ("Where should I play it?",), ("Speaker", "Where"), ("Where does the music play?",)))),
    Task(("tickets", "to see a film", "seats for the film", "movie tickets"), ("Your seats are reserved.", "The tickets are booked.", "Enjoy the film."),
         (Slot("title", (" for {}", ", the film is {}", " for the film {}", " to see {}"), ("Which film?", "What would you like to see?"), ("Movie", "Film", "Title"), ("Which film is it?", "What is the name of the film?")), Slot("restaurant", (" at {}",), ("Which cinema?",), ("Cinema", "Theatre", "Theater"), ("Which cinema is it?",)), CITY, TIME, DAY, SEATS)),
    Task(("to rent a car", "a car", "to hire a car", "a rental car"), ("Your car is reserved.", "The car will be ready."),
         (CITY, Slot("day", (" from {}", ", from {}", " starting {}"), ("From which day?",), ("From", "Pick-up", "Start"), ("From which day is it?",)), Slot("day", (" until {}", " to {}"), ("Until which day?",), ("Until", "Return", "End"), ("Until which day is it?",)), Slot("colour", (", a {} one",), ("Which colour?",), ("Colour", "Color"), ("What colour is the car?",)), NAME)),
    Task(("to order", "you to deliver", "to have"), ("Your order is on the way.", "Your food will be there soon."),
         (Slot("food", (" {}", " some {}"), ("What would you like to eat?",), ("Dish", "Food", "Order"), ("What was ordered?", "Which dish is it?")), Slot("drink", (" with {}", " and {}"), ("And to drink?",), ("Drink",), ("What is the drink?",)), Slot("restaurant", (" from {}",), ("From which restaurant?",), ("Restaurant", "From"), ("Which restaurant is it from?",)), Slot("street", (", to {}",), ("Where should we bring it?",), ("Address", "Street"), ("What is the address?",)), NAME)),
    Task(("to send money", "to transfer money", "to pay"), ("The money has been sent.", "The transfer is done."),
         (Slot("price", (" {}", ", {}"), ("How much?", "Which amount?"), ("Amount", "Sum"), ("How much money is it?",)), Slot("person", (" to {}",), ("To whom?", "Who gets the money?"), ("To", "Receiver", "Recipient"), ("Who gets the money?",)))),
    Task(("to set an alarm", "an alarm", "a reminder", "you to remind me"), ("The alarm is set.", "I will remind you."), (TIME, DAY, Slot("topic", (", for the {}", " about the {}"), ("What is it about?",), ("About", "Reminder"), ("What is it about?",)))),
    Task(("a meeting", "to plan a meeting", "to meet"), ("The meeting is in your calendar.", "I have sent the invitation."),
         (Slot("person", (" with {}",), ("With whom?",), ("With", "Person"), ("With whom is the meeting?",)), Slot("topic", (" about the {}",), ("What is it about?",), ("Topic", "Subject"), ("What is the meeting about?",)), DAY, TIME, Slot("room", (" in {}",), ("Where will it be?", "In which room?"), ("Room", "Where"), ("Where is the meeting?",)))),
    Task(("to send a parcel", "to post a parcel", "to return a parcel"), ("Your parcel is on the way.", "We will collect it."),
         (Slot("person", (" to {}",), ("To whom?",), ("To", "Receiver"), ("Who gets the parcel?",)), CITY, Slot("thing", (", with a {} in it",), ("What is in it?",), ("Contents", "Item"), ("What is in the parcel?",)), Slot("code", (". The code is {}",), ("What is the code?",), ("Code", "Tracking"), ("What is the code?",)))),
    Task(("to buy", "to order", "you to find me"), ("It is in your basket.", "The order is placed."),
         (Slot("thing", (" a {}",), ("What would you like to buy?",), ("Item", "Product", "Article"), ("What was bought?",)), Slot("colour", (", a {} one", " in {}"), ("Which colour?",), ("Colour", "Color"), ("What colour is it?",)), Slot("price", (" for {}", ", not more than {}"), ("What is your budget?",), ("Price", "Budget"), ("What is the price?",)), NAME)),
    Task(("a flat", "to rent a flat", "an apartment"), ("I have found one for you.", "You can visit it tomorrow."),
         (CITY, Slot("street", (" near {}", " on {}"), ("On which street?",), ("Street",), ("On which street is it?",)), Slot("price", (" for {}",), ("What can you pay?",), ("Rent", "Price"), ("What is the rent?",)), Slot("digit", (" with {} rooms",), ("How many rooms?",), ("Rooms",), ("How many rooms are there?",)), NAME, PHONE)),
    Task(("to know the weather", "the weather", "a weather report"), ("Take an umbrella with you.", "Have a nice day."), (CITY, DAY)),
    Task(("a lesson", "to book a lesson", "to take a lesson"), ("Your lesson is booked.", "The teacher expects you."),
         (Slot("subject", (" in {}",), ("In which subject?",), ("Subject", "Lesson"), ("Which subject is it?",)), Slot("person", (" with {}",), ("With which teacher?",), ("Teacher", "With"), ("Who is the teacher?",)), DAY, TIME)),
)

OPENERS = ("I want", "I would like", "I need", "I'd like", "Hello, I want", "Hi, I need", "Please help me. I would like", "Good morning, I would like", "I am looking for", "Can I get", "Could I have")
CONFIRMS = ("Please confirm:", "So that is", "To confirm:", "Confirming:", "Let me check:", "You want", "I have noted", "All right,", "Okay, so you would like")
THANKS = ("Thank you.", "Thanks!", "No, thank you.", "Yes, please.", "That is right.", "Great, thanks.", "That's all.", "Perfect.", "Yes, that is correct.", "No, that is all.")
MORE = ("Can I help you with anything else?", "Anything else?", "Is there anything else I can do?", "Shall I go on?", "Have a great day.", "Do you need anything else?")
