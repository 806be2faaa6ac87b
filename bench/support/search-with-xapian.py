"""Searches records with Xapian. Reads a JSON object from a file: documents and queries, folded."""
import json
import sys

import xapian

given = json.load(open(sys.argv[1]))
folder = xapian.WritableDatabase(sys.argv[2], xapian.DB_CREATE_OR_OVERWRITE)
generator = xapian.TermGenerator()
generator.set_database(folder)
generator.set_flags(xapian.TermGenerator.FLAG_SPELLING)
for key, texts in given["documents"]:
    document = xapian.Document()
    document.set_data(key)
    generator.set_document(document)
    for text in texts:
        generator.index_text(text)
        generator.increase_termpos()
    folder.add_document(document)
folder.commit()

parser = xapian.QueryParser()
parser.set_database(folder)
enquire = xapian.Enquire(folder)


def search(text, operator, flags=0):
    parser.set_default_op(operator)
    enquire.set_query(parser.parse_query(text, flags))
    return [match.document.get_data().decode() for match in enquire.get_mset(0, 10)]


answers = []
for text in given["queries"]:
    found = search(text, xapian.Query.OP_AND)
    if not found:
        parser.parse_query(text, xapian.QueryParser.FLAG_SPELLING_CORRECTION)
        corrected = parser.get_corrected_query_string().decode()
        found = search(corrected, xapian.Query.OP_AND) if corrected else []
    answers.append(found or search(text, xapian.Query.OP_OR))
json.dump(answers, sys.stdout)
