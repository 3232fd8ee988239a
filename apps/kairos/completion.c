// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Completion of command lines by bash, zsh and fish, from the tables of commands and options. What
// a word may be follows from how the help calls it: SCENE, DIR, words with | between.
#include "cli.h"

#include <ctype.h>
#include <string.h>

typedef enum sort { ANYTHING, CHOICE, FOLDER, SCENE, COMMAND } sort;

// What stands in the help as `text`, such as "DIR" or "[NAME]"; `*length`: of its first word.
static sort sort_of(const char* text, size_t* length)
{
    text += text[0] == '[';
    *length = strcspn(text, " ]");
    if (strncmp(text, "DIR", *length) == 0 || strncmp(text, "OUT", *length) == 0) return FOLDER;
    if (strncmp(text, "SCENE", *length) == 0) return SCENE;
    if (strncmp(text, "COMMAND", *length) == 0) return COMMAND;
    bool choice = memchr(text, '|', *length) != NULL;
    for (size_t i = 0; i < *length; i++)
        choice = choice && (islower((unsigned char)text[i]) || isdigit((unsigned char)text[i]) ||
                            strchr("|-", text[i]) != NULL);
    return choice ? CHOICE : ANYTHING;
}

static void put_commands(void)
{
    const cli_command* c;
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) printf("%s%s", i ? " " : "", c->name);
}

// The words of a choice, spaces between.
static void put_choice(const char* text, size_t length)
{
    text += text[0] == '[';
    for (size_t i = 0; i < length; i++) putchar(text[i] == '|' ? ' ' : text[i]);
}

// Text inside single quotes of a shell; `also`: characters that get a backslash.
static void put_quoted(const char* text, const char* also)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr(also, *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

// bash -------------------------------------------------------------------------------------------

static void bash_words(const char* text)
{
    size_t length;
    switch (sort_of(text, &length)) {
    case FOLDER: printf("_kairos_folders"); break;
    case SCENE: printf("_kairos_scenes"); break;
    case CHOICE:
        printf("_kairos_words '");
        put_choice(text, length);
        printf("'");
        break;
    case COMMAND:
        printf("_kairos_words '");
        put_commands();
        printf("'");
        break;
    case ANYTHING: printf(":"); break; // files, by the shell itself
    }
}

static void bash_command(const cli_command* c)
{
    printf("    %s)\n        case $prev in\n", c->name);
    for (size_t i = 0; i < c->option_count; i++) {
        const cli_option* o = &c->options[i];
        if (o->type == CLI_FLAG || o->type == CLI_PORT) continue;
        printf("        --%s", o->name);
        if (o->letter != 0) printf("|-%c", o->letter);
        printf(") ");
        bash_words(o->value);
        printf("; return ;;\n");
    }
    printf("        esac\n        if [[ $cur == -* ]]; then\n            _kairos_words '--help");
    for (size_t i = 0; i < c->option_count; i++) printf(" --%s", c->options[i].name);
    printf("'\n        else\n            ");
    bash_words(c->arguments);
    printf("\n        fi ;;\n");
}

static void print_bash(void)
{
    printf(
        "# Completion of kairos for bash; printed by 'kairos completion bash'.\n"
        "_kairos_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
        "_kairos_folders() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); }\n"
        "_kairos_scenes() {\n"
        "    compopt -o filenames\n"
        "    mapfile -t COMPREPLY < <(\n"
        "        compgen -W \"$(kairos scenes 2>/dev/null | cut -d' ' -f1)\" -- \"$cur\"\n"
        "        compgen -f -X '!*.json' -- \"$cur\"; compgen -d -- \"$cur\")\n"
        "}\n"
        "_kairos() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    COMPREPLY=()\n"
        "    # --name=value is three words here\n"
        "    [[ $cur == = ]] && cur=\n"
        "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    if ((COMP_CWORD == 1)); then\n        _kairos_words '");
    put_commands();
    printf(" --help --version'\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    const cli_command* c;
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) bash_command(c);
    printf("    esac\n}\ncomplete -o default -F _kairos kairos\n");
}

// zsh --------------------------------------------------------------------------------------------

// ":MESSAGE:ACTION" of _arguments.
static void zsh_words(const char* text)
{
    size_t length;
    const sort what = sort_of(text, &length);
    printf(":");
    put_quoted(text, ":");
    switch (what) {
    case FOLDER: printf(":_files -/"); break;
    case SCENE: printf(":_kairos_scenes"); break;
    case CHOICE:
        printf(":(");
        put_choice(text, length);
        printf(")");
        break;
    case COMMAND:
        printf(":(");
        put_commands();
        printf(")");
        break;
    case ANYTHING: printf(":_files"); break;
    }
}

static void zsh_option(const cli_option* o)
{
    const char* after = o->type == CLI_FLAG ? "" : o->type == CLI_PORT ? "=-" : "=";
    const char* many = o->type == CLI_LIST ? "*" : "";
    printf(" \\\n            ");
    if (o->letter != 0)
        printf("'%s(-%c --%s)'{-%c,--%s%s}'", many, o->letter, o->name, o->letter, o->name, after);
    else
        printf("'%s--%s%s", many, o->name, after);
    printf("[");
    put_quoted(o->doc, "[]");
    printf("]");
    if (o->type == CLI_PORT)
        printf("::PORT:");
    else if (o->type != CLI_FLAG)
        zsh_words(o->value);
    printf("'");
}

static void print_zsh(void)
{
    const cli_command* c;
    printf("#compdef kairos\n# Completion of kairos for zsh; printed by 'kairos completion zsh'.\n"
           "_kairos_scenes() {\n"
           "    local -a names=(${(f)\"$(kairos scenes 2>/dev/null | cut -d' ' -f1)\"})\n"
           "    _alternative 'scenes:scene:compadd -a names' 'files:file:_files -g \"*.json\"'\n}\n"
           "_kairos() {\n    local curcontext=$curcontext state line\n    local -a commands=(\n");
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) {
        printf("        '%s:", c->name);
        put_quoted(c->doc, "");
        printf("'\n");
    }
    printf("    )\n    _arguments -C '(- *)--help[list the commands]' "
           "'(- *)'{-V,--version}'[say the version]' '1:command:->command' '*::word:->rest'\n"
           "    case $state in\n    command) _describe command commands ;;\n"
           "    rest)\n        case $words[1] in\n");
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) {
        printf("        %s) _arguments '--help[list the options]'", c->name);
        for (size_t k = 0; k < c->option_count; k++) zsh_option(&c->options[k]);
        if (c->arguments[0] != '\0') {
            printf(" \\\n            '1");
            zsh_words(c->arguments);
            printf("'");
        }
        printf(" ;;\n");
    }
    printf(
        "        esac ;;\n    esac\n}\n"
        "if [[ $funcstack[1] == _kairos ]]; then _kairos \"$@\"; else compdef _kairos kairos; fi\n");
}

// fish -------------------------------------------------------------------------------------------

static void fish_words(const char* text)
{
    size_t length;
    switch (sort_of(text, &length)) {
    case FOLDER: printf(" -x -a '(__fish_complete_directories)'"); break;
    case SCENE: printf(" -k -a '(__kairos_scenes)'"); break;
    case CHOICE:
        printf(" -x -a '");
        put_choice(text, length);
        printf("'");
        break;
    case COMMAND:
        printf(" -x -a '");
        put_commands();
        printf("'");
        break;
    case ANYTHING: break;
    }
}

static void fish_option(const cli_command* c, const cli_option* o)
{
    printf("complete -c kairos -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter != 0) printf(" -s %c", o->letter);
    if (o->type != CLI_FLAG && o->type != CLI_PORT) {
        printf(" -r");
        fish_words(o->value);
    }
    printf(" -d '");
    put_quoted(o->doc, "");
    printf("'\n");
}

static void print_fish(void)
{
    const cli_command* c;
    printf("# Completion of kairos for fish; printed by 'kairos completion fish'.\n"
           "function __kairos_scenes\n"
           "    kairos scenes 2>/dev/null | string replace -r ' +' \\t\nend\n"
           "complete -c kairos -n __fish_use_subcommand -s V -l version -d 'say the version'\n"
           "complete -c kairos -l help -d 'say what there is'\n");
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) {
        printf("complete -c kairos -n __fish_use_subcommand -x -a %s -d '", c->name);
        put_quoted(c->doc, "");
        printf("'\n");
        if (c->arguments[0] != '\0') {
            printf("complete -c kairos -n '__fish_seen_subcommand_from %s'", c->name);
            fish_words(c->arguments);
            printf("\n");
        }
        for (size_t k = 0; k < c->option_count; k++) fish_option(c, &c->options[k]);
    }
}

bool cli_print_completion(const char* shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return false;
    return true;
}
