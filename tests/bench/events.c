/*
 * The time that libyaml alone takes to read manifests: each event is made and thrown away, and nothing is
 * done with it. `check` reads with libyaml, and so can never be faster. Prints the CPU seconds of the files
 * on its command line, which one thread reads whole before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <yaml.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int read_events(const unsigned char *text, size_t length)
{
    yaml_parser_t parser;
    yaml_event_t event;
    yaml_event_type_t type;
    if (!yaml_parser_initialize(&parser))
        return -1;
    yaml_parser_set_input_string(&parser, text, length);
    do {
        if (!yaml_parser_parse(&parser, &event))
            break;
        type = event.type;
        yaml_event_delete(&event);
    } while (type != YAML_STREAM_END_EVENT);
    int result = parser.error == YAML_NO_ERROR ? 0 : -1;
    yaml_parser_delete(&parser);
    return result;
}

static int read_file(const char *path, unsigned char *text, double *taken)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    size_t length = fread(text, 1, FILE_BYTES_MAX, file);
    fclose(file);
    double begin = cpu_seconds();
    int result = length < FILE_BYTES_MAX ? read_events(text, length) : -1;
    *taken += cpu_seconds() - begin;
    return result;
}

int main(int argc, char **argv)
{
    unsigned char *text = malloc(FILE_BYTES_MAX);
    double taken = 0;
    for (int i = 1; text && i < argc; i++) {
        if (read_file(argv[i], text, &taken) < 0) {
            fprintf(stderr, "%s cannot be read\n", argv[i]);
            free(text);
            return 1;
        }
    }
    free(text);
    printf("%.6f\n", taken);
    return 0;
}
