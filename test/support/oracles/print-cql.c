/* Reads queries, one on each line, and prints each as YAZ's own parser of CQL reads it, in XCQL. */
#include <stdio.h>
#include <string.h>
#include <yaz/cql.h>

int main(void)
{
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        CQL_parser parser = cql_parser_create();
        if (length && line[length - 1] == '\n')
            line[length - 1] = 0;
        cql_parser_strict(parser, 1);
        if (cql_parser_string(parser, line))
            puts("error");
        else
            cql_to_xml_stdio(cql_parser_result(parser), stdout);
        cql_parser_destroy(parser);
        puts("====");
    }
    return 0;
}
